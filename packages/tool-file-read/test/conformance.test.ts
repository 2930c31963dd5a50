import { fileURLToPath } from "node:url";
import { testPlugin, testTool } from "@openjarvis/testing/vitest";
import { FileReadTool } from "../src/index.js";

testPlugin(new URL("..", import.meta.url));

const here = fileURLToPath(new URL(".", import.meta.url));

testTool(new FileReadTool({ allowedDirs: [here] }), {
  valid: { path: fileURLToPath(import.meta.url) },
  invalid: [{}, { path: "" }, { path: here, max_lines: 0 }, { path: here, offset: 1.5 }],
  cases: [[{ path: fileURLToPath(import.meta.url), max_lines: 1 }, /fileURLToPath/]],
});
