import { copyFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { installCore, run, tempDir, writeFiles } from "./support.js";

const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve("typescript/package.json")), "bin/tsc");
const nodeTypes = dirname(require.resolve("@types/node/package.json"));
const fixture = fileURLToPath(new URL("fixtures/decorated-tool.ts", import.meta.url));

describe("@ToolRegistry.register", () => {
  it("type-checks as a standard decorator and registers the class it stands on", async () => {
    const dir = tempDir();
    installCore(dir);
    writeFiles(dir, {
      "package.json": { type: "module" },
      "tsconfig.json": {
        compilerOptions: {
          target: "es2023",
          module: "nodenext",
          strict: true,
          skipLibCheck: true,
          types: ["node"],
          typeRoots: [dirname(nodeTypes)],
        },
      },
    });
    copyFileSync(fixture, join(dir, "tool.ts"));
    await run(process.execPath, [tsc, "-p", dir], dir);
    const output = await run(process.execPath, [join(dir, "tool.js")], dir);
    expect(JSON.parse(output)).toEqual({
      same: true,
      name: "MyTool",
      keys: ["my_tool"],
      content: "Processed: data",
    });
  });
});
