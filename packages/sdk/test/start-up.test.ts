import { execFile } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { agentCode, engineCode, makeWorld, type World } from "./world.js";

const run = promisify(execFile);
const dist = fileURLToPath(new URL("../dist", import.meta.url));

/** Prints the address of every module Node loads. */
const logger = `data:text/javascript,${encodeURIComponent(`
  import { register } from "node:module";
  register("data:text/javascript," + encodeURIComponent(\`
    import { writeSync } from "node:fs";
    export async function load(url, context, next) { writeSync(2, "LOADED " + url + "\\\\n"); return next(url, context); }
  \`));
`)}`;

let world: World;

beforeEach(async () => {
  world = await makeWorld();
  await world.addPlugin("app", "engine-a", { provides: { engines: ["rules"] }, code: engineCode("rules") });
  await world.addPlugin("app", "agent-a", { provides: { agents: ["simple"] }, code: agentCode("simple") });
  await world.addPlugin("app", "tool-unused", {
    provides: { tools: ["unused"] },
    code: "throw new Error('loaded');",
  });
  await world.write(
    "app/node_modules/@openjarvis/sdk/package.json",
    '{ "type": "module", "exports": "./dist/index.js" }',
  );
  cpSync(dist, join(world.app, "node_modules/@openjarvis/sdk/dist"), { recursive: true });
  await world.write(
    "app/main.js",
    'import { Jarvis } from "@openjarvis/sdk"; const jarvis = new Jarvis(); console.log(await jarvis.ask("hi")); await jarvis.close();',
  );
});

afterEach(() => world[Symbol.asyncDispose]());

/** What the program prints, and the names of the modules it loaded, as Node starts it. */
async function start(): Promise<{ output: string; loaded: string[] }> {
  const env = {
    PATH: process.env.PATH,
    HOME: world.path,
    OPENJARVIS_HOME: world.home,
    OLLAMA_HOST: "127.0.0.1:1",
  };
  const { stdout, stderr } = await run(process.execPath, ["--import", logger, join(world.app, "main.js")], {
    env,
  });
  const loaded = stderr.split("\n").filter((line) => line.startsWith("LOADED file:"));
  return { output: stdout.trim(), loaded: loaded.map((line) => line.split("/").slice(-3).join("/")) };
}

// The program is what is built, so there must be a build.
describe.skipIf(!existsSync(join(dist, "index.js")))("a program that asks once", () => {
  it("finds its own plugins and loads only what it needs: nothing that reads a config", async () => {
    const { output, loaded } = await start();
    expect(output).toBe("rules: hi");
    const sdk = loaded.filter((name) => name.startsWith("sdk/dist/"));
    expect(sdk.length).toBeLessThanOrEqual(4);
    expect(
      loaded.filter((name) => /config-schema|config-edit|scanner|zod|toml|semver|unused/.test(name)),
    ).toEqual([]);
  });

  it("loads the reader of the config when there is one, and still no package from node_modules for it", async () => {
    await world.write("home/config.toml", '[engine.rules]\ngreeting = "from config"\n');
    const { output, loaded } = await start();
    expect(output).toBe("from config: hi");
    expect(loaded.filter((name) => name.includes("config-schema"))).toHaveLength(1);
    expect(loaded.filter((name) => /node_modules\/(zod|smol-toml|semver)/.test(name))).toEqual([]);
  });
});
