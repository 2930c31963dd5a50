import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { coreCopies } from "../src/index.js";
import { installCore, run, tempDir, writeFiles } from "./support.js";

const program = `
import * as one from "./one/node_modules/@openjarvis/core/dist/index.js";
import * as two from "./two/node_modules/@openjarvis/core/dist/index.js";

class Echo extends one.BaseTool {
  toolId = "echo";
  spec = { name: "echo", description: "d", parameters: { type: "object", properties: { n: { type: "integer" } } } };
  run({ n }) { return String(n + 1); }
}
one.ToolRegistry.register("echo")(Echo);
two.ToolRegistry.register("echo")(Echo);
let duplicate;
try { two.ToolRegistry.register("echo")(class extends Echo {}); } catch (error) { duplicate = error; }
const error = new one.JarvisError("OJ_USAGE", "x");
class Engine extends two.InferenceEngine { engineId = "e"; async *stream() {} }
const wrapped = new two.InstrumentedEngine(new Engine(), new two.EventBus());
const executor = new two.ToolExecutor({ tools: [two.ToolRegistry.create("echo")] });
const result = await executor.execute({ name: "echo", arguments: '{"n":"41"}' });
console.log(JSON.stringify({
  different: one.BaseTool !== two.BaseTool,
  shared: two.ToolRegistry.get("echo") === Echo && one.ToolRegistry.keys().length === 1,
  duplicate: [duplicate instanceof one.JarvisError, one.isJarvisError(duplicate, "OJ_DUPLICATE_ID")],
  error: [error instanceof two.JarvisError, two.isJarvisError(error, "OJ_USAGE")],
  instrumented: one.isInstrumented(wrapped),
  result: result.content,
  copies: one.coreCopies().map(({ version, url }) => [version, url.includes("/one/") ? "one" : "two"]),
}));
`;

describe("two copies of core in one process", () => {
  it("share registries, errors, tools and engines", async () => {
    const dir = tempDir();
    installCore(join(dir, "one"));
    installCore(join(dir, "two"));
    writeFiles(dir, { "main.mjs": program });
    const output = JSON.parse(await run(process.execPath, [join(dir, "main.mjs")], dir));
    expect(output).toEqual({
      different: true,
      shared: true,
      duplicate: [false, true],
      error: [false, true],
      instrumented: true,
      result: "42",
      copies: [
        [expect.stringMatching(/^\d+\.\d+\.\d+/), "one"],
        [expect.stringMatching(/^\d+\.\d+\.\d+/), "two"],
      ],
    });
  });
});

describe("coreCopies", () => {
  it("lists the copy that is asked and cannot be written to", () => {
    const copies = coreCopies();
    expect(copies.some(({ url }) => url.endsWith("/core-copies.ts"))).toBe(true);
    (copies as unknown[]).length = 0;
    expect(coreCopies().length).toBeGreaterThan(0);
  });
});
