// Writes docs/errors.md from the table of error codes, so that the page cannot say anything else than the code does.
// Usage: node scripts/write-error-docs.mjs [--check]
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { errorCodes } from "../packages/core/dist/index.js";

const file = fileURLToPath(new URL("../docs/errors.md", import.meta.url));
const sections = Object.entries(errorCodes).map(
  ([code, { title, help }]) => `## ${code}\n\n${title}. ${help}\n`,
);
const page = `# Error codes

Every error of OpenJarvis has a code from this table, a message that says what happened and why, and a hint that says
what to do next. In programs, \`isJarvisError(error, "OJ_TOOL_TIMEOUT")\` recognises one. This page is written by
\`node scripts/write-error-docs.mjs\`.

${sections.join("\n")}`;

if (process.argv.includes("--check")) {
  const written = readFileSync(file, "utf8");
  if (written !== page) {
    console.error("docs/errors.md is not what the table says. Run: node scripts/write-error-docs.mjs");
    process.exit(1);
  }
} else {
  writeFileSync(file, page);
}
