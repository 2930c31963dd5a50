import { VmSandbox } from "@openjarvis/testing";
import { testPlugin, testTool } from "@openjarvis/testing/vitest";
import { CodeInterpreterTool } from "../src/index.js";

testPlugin(new URL("..", import.meta.url));

const sandbox = new VmSandbox();

testTool(new CodeInterpreterTool({ sandbox: () => sandbox }), {
  valid: { code: "print(6 * 7)" },
  invalid: [{}, { code: "" }, { code: "1", language: "cobol" }],
  cases: [
    [{ code: "print(6 * 7)" }, "42"],
    [{ code: "1 + 1" }, "2"],
    [{ code: "missing" }, /ReferenceError/],
  ],
  slow: { code: "await forever()" },
});
