import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { tempDir } from "@openjarvis/testing";
import { expect, test } from "vitest";
import { bundle } from "./support/bundle.js";
import { setUp } from "./support/setup.js";

const execute = promisify(execFile);

/** Runs a program that imports the package in a process of its own. */
async function run(
  source: string,
  env: Record<string, string> = {},
): Promise<{ stdout: string; stderr: string }> {
  await using folder = await tempDir();
  const program = await bundle(await folder.write("program.ts", source), folder.path);
  return await execute(process.execPath, [program], { timeout: 15_000, env: { ...process.env, ...env } });
}

test.each([
  { name: "and closes it", end: "await engine.close();" },
  { name: "and forgets to close it", end: "" },
])("a process that uses the engine $name ends by itself", async ({ end }) => {
  const { server } = await setUp({ replies: [{ text: "done" }] });
  const source = `
    import { OpenAIEngine } from "@openjarvis/engine-openai";
    const engine = new OpenAIEngine({ engineId: "vllm" });
    const { content } = await engine.generate([{ role: "user", content: "hi" }], { model: "test-model" });
    ${end}
    process.stdout.write(content);
  `;
  expect(await run(source, { VLLM_BASE_URL: server.url })).toEqual({ stdout: "done", stderr: "" });
});

test("a process that cancels a call at once ends by itself", async () => {
  const source = `
    import { OpenAIEngine } from "@openjarvis/engine-openai";
    const engine = new OpenAIEngine({ engineId: "vllm" });
    const controller = new AbortController();
    const options = { model: "test-model", signal: controller.signal };
    const answer = engine.generate([{ role: "user", content: "hi" }], options);
    controller.abort();
    await answer.catch(({ code }) => process.stdout.write(code));
  `;
  expect(await run(source)).toEqual({ stdout: "OJ_ABORTED", stderr: "" });
});

test("importing the package prints nothing and loads neither the client nor node's HTTP", async () => {
  const source = `
    await import("@openjarvis/engine-openai");
    const heavy = /NativeModule (http|https|internal.deps.undici.undici)$/;
    process.stdout.write(JSON.stringify(process.moduleLoadList.filter((name) => heavy.test(name))));
  `;
  expect(await run(source)).toEqual({ stdout: "[]", stderr: "" });
});

test("the program of the README runs", async () => {
  const { server } = await setUp({ replies: [{ text: ["Rhine, ", "Po, Elbe."] }] });
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const source = /```ts sketch\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  expect(await run(source, { VLLM_BASE_URL: server.url })).toEqual({
    stdout: "Rhine, Po, Elbe.",
    stderr: "",
  });
});
