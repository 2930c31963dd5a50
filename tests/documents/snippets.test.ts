import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { repository } from "../structure/packages.js";

/**
 * Every block marked `ts` in the README files and in docs/ is compiled and run against the built packages, as a
 * reader would run it. Blocks marked `ts sketch` (they need a model, or are part of a larger file) are only compiled.
 */
const folder = join(repository, "tests", ".snippets");
const run = promisify(execFile);
const tsc = join(repository, "node_modules", "typescript", "bin", "tsc");
let home = "";

interface Snippet {
  page: string;
  line: number;
  code: string;
  sketch: boolean;
  file: string;
}

function pages(): string[] {
  const list = ["README.md", "CONTRIBUTING.md"];
  for (const page of readdirSync(join(repository, "docs")))
    if (page.endsWith(".md")) list.push(join("docs", page));
  for (const name of readdirSync(join(repository, "packages")))
    list.push(join("packages", name, "README.md"));
  return list;
}

function snippetsOf(page: string): Snippet[] {
  const text = readFileSync(join(repository, page), "utf8");
  return [...text.matchAll(/^```ts( sketch)?\n([\s\S]*?)^```$/gm)].map((match) => {
    const line = text.slice(0, match.index).split("\n").length;
    const name = `${relative(".", page).replace(/[^a-zA-Z0-9]+/g, "-")}-${line}`;
    return {
      page,
      line,
      code: match[2] ?? "",
      sketch: match[1] !== undefined,
      file: join(folder, `${name}.mts`),
    };
  });
}

const snippets = pages().flatMap(snippetsOf);

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  home = mkdtempSync(join(tmpdir(), "openjarvis-snippets-"));
  for (const { file, code } of snippets) writeFileSync(file, `${code}\nexport {};\n`);
  const config = {
    extends: "../../tsconfig.base.json",
    compilerOptions: { customConditions: [] },
    include: ["*.mts"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  rmSync(home, { recursive: true, force: true });
});

describe("the snippets of the documentation", () => {
  it("exist", () => expect(snippets.length).toBeGreaterThan(10));

  it("have the types they claim", async () => {
    const outcome = await run(process.execPath, [tsc, "-p", folder]).catch(
      (error: { stdout: string }) => error,
    );
    expect(outcome.stdout).toBe("");
  }, 120_000);

  it.each(
    snippets
      .filter((snippet) => !snippet.sketch)
      .map((snippet) => [`${snippet.page}:${snippet.line}`, snippet]),
  )("%s runs", async (_name, snippet) => {
    const { code } = await transform(snippet.code, { loader: "ts", format: "esm", target: "node20" });
    const file = snippet.file.replace(/\.mts$/, ".mjs");
    writeFileSync(file, code);
    const env = { ...process.env, OPENJARVIS_HOME: home, OLLAMA_HOST: "http://127.0.0.1:9" };
    await run(process.execPath, [file], { env, timeout: 30_000, cwd: home });
  });
});
