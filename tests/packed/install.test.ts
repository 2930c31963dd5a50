import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { repository } from "../structure/packages.js";
import { mustRun, packAll, pnpm, run, withDependencies, workspace, writeProject } from "./tarballs.js";

const space = workspace();
let tarballs = new Map<string, string>();
const question = ["ask", "--agent", "orchestrator", "--tools", "calculator", "What is 15% of 340?"];

/** No Ollama answers on this port, and nothing of the developer's own home is used. */
function hermetic(home: string): NodeJS.ProcessEnv {
  return { OPENJARVIS_HOME: space.path(home), OLLAMA_HOST: "http://127.0.0.1:9" };
}

beforeAll(async () => {
  tarballs = await packAll(space.path("tarballs"));
});

afterAll(() => space.remove());

describe("packed packages", () => {
  it("hold no source, test or configuration, and every file that package.json names", async () => {
    for (const [name, file] of tarballs) {
      const { stdout } = await mustRun(repository, "tar", ["-tzf", file]);
      const files = stdout.trim().split("\n");
      expect(files, name).toContain("package/README.md");
      expect(files, name).toContain("package/dist/index.js");
      expect(files, name).toContain("package/dist/index.d.ts");
      const strangers = files.filter(
        (path) => !/^package\/(dist\/|bin\/|README\.md|LICENSE|CHANGELOG\.md|package\.json)/.test(path),
      );
      expect(strangers, name).toEqual([]);
    }
  });

  it("name no workspace or catalog version", async () => {
    for (const [name, file] of tarballs) {
      const { stdout } = await mustRun(repository, "tar", ["-xzOf", file, "package/package.json"]);
      expect(stdout, name).not.toMatch(/"(workspace|catalog):/);
    }
  });
});

describe("the standard distribution", () => {
  it("answers when npm installed it in a project", async () => {
    const dir = space.path("npm local");
    writeProject(dir);
    await mustRun(dir, "npm", ["install", ...withDependencies(tarballs, ["openjarvis"])]);
    const { stdout, stderr } = await mustRun(
      dir,
      "npx",
      ["--no", "jarvis", ...question],
      hermetic("home-npm"),
    );
    expect(stdout).toContain("51");
    expect(stderr).toContain("rules");
  });

  it("answers when npm installed it globally", async () => {
    const prefix = space.path("npm-global");
    await mustRun(prefix, "npm", [
      "install",
      "--global",
      "--prefix",
      prefix,
      ...withDependencies(tarballs, ["openjarvis"]),
    ]);
    const elsewhere = space.path("elsewhere");
    const { stdout } = await mustRun(
      elsewhere,
      join(prefix, "bin", "jarvis"),
      question,
      hermetic("home-global"),
    );
    expect(stdout).toContain("51");
  });

  it("answers when pnpm installed it in a project, from the project and from a folder below it", async () => {
    const dir = space.path("pnpm-local");
    const overrides = Object.fromEntries([...tarballs].map(([name, file]) => [name, `file:${file}`]));
    writeProject(dir, { dependencies: { openjarvis: overrides.openjarvis }, pnpm: { overrides } });
    await mustRun(dir, pnpm, ["install", "--ignore-workspace"]);
    const bin = join(dir, "node_modules", ".bin", "jarvis");
    for (const cwd of [dir, space.path("pnpm-local", "src", "deep")]) {
      const { stdout } = await mustRun(cwd, bin, question, hermetic("home-pnpm"));
      expect(stdout).toContain("51");
    }
  });

  it("gives the SDK to a program", async () => {
    const dir = space.path("npm local");
    writeFileSync(
      join(dir, "program.mjs"),
      `import { Jarvis } from "openjarvis";
const jarvis = new Jarvis();
console.log(await jarvis.ask("What is the square root of 144?", { agent: "orchestrator", tools: ["calculator"] }));
await jarvis.close();`,
    );
    const { stdout } = await mustRun(dir, process.execPath, ["program.mjs"], hermetic("home-sdk"));
    expect(stdout).toContain("12");
  });
});

describe("single packages", () => {
  const program = `
import { OrchestratorAgent } from "@openjarvis/agent-orchestrator";
import { ToolRegistry } from "@openjarvis/core";
import { RulesEngine } from "@openjarvis/engine-rules";
import { CalculatorTool } from "@openjarvis/tool-calculator";

const agent = new OrchestratorAgent({ engine: new RulesEngine(), model: "rules", tools: [new CalculatorTool()] });
const { content, turns } = await agent.run("What is 15% of 340?");
console.log(content, turns, ToolRegistry.keys().join());`;
  const names = ["@openjarvis/agent-orchestrator", "@openjarvis/engine-rules", "@openjarvis/tool-calculator"];

  it("answer in a plain program", async () => {
    const dir = space.path("single");
    writeProject(dir);
    await mustRun(dir, "npm", ["install", "--no-save", ...withDependencies(tarballs, names)]);
    writeFileSync(join(dir, "program.mjs"), program);
    const { stdout } = await mustRun(dir, process.execPath, ["program.mjs"]);
    expect(stdout).toMatch(/51 2 calculator/);
    expect(readdirSync(join(dir, "node_modules")).filter((name) => !name.startsWith("."))).toEqual([
      "@openjarvis",
    ]);
  });

  it("share one registry although each brings its own core", async () => {
    const dir = space.path("copies");
    writeProject(dir);
    cpSync(join(space.path("single"), "node_modules"), join(dir, "node_modules"), { recursive: true });
    const scope = join(dir, "node_modules", "@openjarvis");
    for (const name of ["agent-orchestrator", "tool-calculator"]) {
      const own = join(scope, name, "node_modules", "@openjarvis");
      mkdirSync(own, { recursive: true });
      for (const copied of ["core", "model-output"])
        cpSync(join(scope, copied), join(own, copied), { recursive: true });
    }
    writeFileSync(
      join(dir, "program.mjs"),
      `${program}
import { coreCopies } from "@openjarvis/core";
console.log("copies", coreCopies().length);`,
    );
    const { stdout } = await mustRun(dir, process.execPath, ["program.mjs"]);
    expect(stdout).toMatch(/51 2 calculator/);
    expect(stdout).toContain("copies 3");
  });

  it("keep their registration when a bundler has shaken the tree", async () => {
    const dir = space.path("single");
    const entry = join(dir, "entry.mjs");
    writeFileSync(
      entry,
      `import "@openjarvis/tool-calculator";
import { ToolRegistry } from "@openjarvis/core";
console.log(ToolRegistry.keys().join());`,
    );
    const outfile = join(dir, "bundle.mjs");
    await build({
      entryPoints: [entry],
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20",
      outfile,
    });
    const { stdout } = await mustRun(dir, process.execPath, [outfile]);
    expect(stdout).toBe("calculator\n");
  });
});

describe("the plugin home", () => {
  it("runs a third-party plugin, and a broken one beside it is named and disturbs nothing", async () => {
    const dir = space.path("npm local");
    const env = hermetic("home-plugins");
    const home = join(env.OPENJARVIS_HOME ?? "", "plugins");
    const scope = join(home, "node_modules", "@acme");
    const core = join(home, "node_modules", "@openjarvis");
    mkdirSync(scope, { recursive: true });
    mkdirSync(core, { recursive: true });
    for (const name of ["core", "model-output"]) {
      cpSync(join(dir, "node_modules", "@openjarvis", name), join(core, name), { recursive: true });
    }
    writePlugin(
      join(scope, "shout"),
      "shout",
      `
import { defineTool, ToolRegistry } from "@openjarvis/core";
ToolRegistry.registerValue("shout", defineTool({ name: "shout", description: "Shouts.", run: () => "LOUD" }));`,
    );
    writePlugin(join(scope, "broken"), "mumble", `throw new Error("no voice today");`);
    writeProject(home, { dependencies: { "@acme/shout": "1.0.0", "@acme/broken": "1.0.0" } });

    const asked = await mustRun(
      dir,
      "npx",
      ["--no", "jarvis", ...question.slice(0, -1), "What is 2+2?"],
      env,
    );
    expect(asked.stdout).toContain("4");
    const inspected = await mustRun(dir, "npx", ["--no", "jarvis", "tool", "inspect", "shout"], env);
    expect(inspected.stdout).toContain("Shouts.");
    const doctor = await run(dir, "npx", ["--no", "jarvis", "plugins", "doctor"], env);
    expect(doctor.code).toBe(1);
    expect(doctor.stdout + doctor.stderr).toMatch(/@acme\/broken.*[\s\S]*no voice today/);
    const needed = await run(
      dir,
      "npx",
      ["--no", "jarvis", "ask", "--agent", "orchestrator", "--tools", "mumble", "hi"],
      env,
    );
    expect(needed.code).toBe(1);
    expect(needed.stderr).toContain("OJ_PLUGIN_LOAD");
  });

  it("is filled and emptied by the plugins command", async () => {
    const dir = space.path("npm local");
    const env = hermetic("home-add");
    const plugin = space.path("greeter");
    writePlugin(
      plugin,
      "greet",
      `
import { defineTool, ToolRegistry } from "@openjarvis/core";
ToolRegistry.registerValue("greet", defineTool({ name: "greet", description: "Greets.", run: () => "Good day." }));`,
    );
    const core = withDependencies(tarballs, ["@openjarvis/core"]);
    const added = await run(dir, "npx", ["--no", "jarvis", "plugins", "add", "--yes", plugin, ...core], env);
    expect(added.code, added.stdout + added.stderr).toBe(0);
    const listed = await mustRun(dir, "npx", ["--no", "jarvis", "tool", "list", "--json"], env);
    expect(listed.stdout).toContain('"greet"');
    const removed = await run(dir, "npx", ["--no", "jarvis", "plugins", "remove", "@acme/greeter"], env);
    expect(removed.code, removed.stdout + removed.stderr).toBe(0);
    const after = await mustRun(dir, "npx", ["--no", "jarvis", "tool", "list", "--json"], env);
    expect(after.stdout).not.toContain('"greet"');
    expect(existsSync(join(env.OPENJARVIS_HOME ?? "", "plugins", "package.json"))).toBe(true);
  });
});

/** Writes the package `@acme/<name>` with one tool. */
function writePlugin(dir: string, tool: string, code: string, name = basename(dir)): void {
  mkdirSync(dir, { recursive: true });
  const json = {
    name: `@acme/${name}`,
    version: "1.0.0",
    type: "module",
    description: "A plugin of somebody else.",
    keywords: ["openjarvis-plugin"],
    exports: { ".": { default: "./index.js" }, "./package.json": "./package.json" },
    peerDependencies: { "@openjarvis/core": ">=0.1.0 <1.0.0" },
    openjarvis: { apiVersion: 1, provides: { tools: [tool] } },
  };
  writeFileSync(join(dir, "package.json"), JSON.stringify(json, null, 2));
  writeFileSync(join(dir, "index.js"), code);
}
