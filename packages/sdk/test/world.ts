import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { AgentRegistry, EngineRegistry, EventBus, ToolRegistry } from "@openjarvis/core";
import { tempDir } from "@openjarvis/testing";
import { Jarvis, type JarvisOptions } from "../src/index.js";

/** A plugin that is written to disk as a real package. */
export interface PluginSource {
  provides: Record<string, string[]>;
  /** What follows the import of `@openjarvis/core` as `core`. */
  code: string;
  /** More fields of its package.json. */
  json?: object;
  version?: string;
  apiVersion?: number;
}

/** A machine of its own: a home, an application with real packages in node_modules, and a working folder. */
export interface World extends AsyncDisposable {
  readonly path: string;
  readonly home: string;
  /** The folder of the application, whose dependencies are plugins. */
  readonly app: string;
  /** Writes a file and returns its path. */
  write(name: string, content: string): Promise<string>;
  /** Adds a plugin package to the dependencies of the package in a folder (`app`, `home/plugins`, `project`). */
  addPlugin(owner: string, name: string, source: PluginSource): Promise<void>;
  /** A Jarvis of this machine: nothing of the real one is seen. */
  jarvis(options?: JarvisOptions): Jarvis;
  /** The options of {@link jarvis}. */
  options(options?: JarvisOptions): JarvisOptions;
}

/**
 * A folder with core as npm would install it: what is built, without the condition that leads to sources, which Node
 * cannot run. Plugins on disk get this copy of core, the tests another: they share one registry.
 */
const installed = installCore();

function installCore(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "openjarvis-core-")));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["core", "model-output"]) {
    const source = fileURLToPath(new URL(`../../${name}`, import.meta.url));
    const target = join(folder, "node_modules/@openjarvis", name);
    cpSync(join(source, "dist"), join(target, "dist"), { recursive: true });
    const json = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
    writeFileSync(join(target, "package.json"), JSON.stringify({ ...json, ...json.publishConfig }));
  }
  return join(folder, "node_modules/@openjarvis/core");
}

export async function makeWorld(): Promise<World> {
  const dir = await tempDir("openjarvis-sdk-");
  const home = dir.join("home");
  const app = dir.join("app");
  const packages = new Map<string, { dependencies: Record<string, string> }>();
  const open: Jarvis[] = [];
  const savePackage = async (owner: string, plugin?: string) => {
    const json = packages.get(owner) ?? { dependencies: {} };
    if (plugin !== undefined) json.dependencies[plugin] = "*";
    packages.set(owner, json);
    await dir.write(`${owner}/package.json`, JSON.stringify({ name: owner, type: "module", ...json }));
  };
  await savePackage("app");
  await linkCore(dir.join("app"));
  const options = (given: JarvisOptions = {}): JarvisOptions => ({
    home,
    root: app,
    projectDir: false,
    env: { HOME: dir.path, OLLAMA_HOST: "127.0.0.1:1" },
    bus: new EventBus(),
    ...given,
  });

  async function linkCore(owner: string) {
    await mkdir(join(owner, "node_modules/@openjarvis"), { recursive: true });
    const link = join(owner, "node_modules/@openjarvis/core");
    if (!existsSync(link)) await symlink(installed, link);
  }

  return {
    path: dir.path,
    home,
    app,
    write: (name, content) => dir.write(name, content),
    async addPlugin(owner, name, { provides, code, json = {}, version = "1.0.0", apiVersion = 1 }) {
      await savePackage(owner, name);
      await linkCore(dir.join(owner));
      const folder = `${owner}/node_modules/${name}`;
      const manifest = {
        name,
        version,
        type: "module",
        exports: { ".": "./index.js" },
        openjarvis: { apiVersion, provides },
        ...json,
      };
      await dir.write(`${folder}/package.json`, JSON.stringify(manifest));
      await dir.write(`${folder}/index.js`, `import * as core from "@openjarvis/core";\n${code}\n`);
    },
    options,
    jarvis(given) {
      const jarvis = new Jarvis(options(given));
      open.push(jarvis);
      return jarvis;
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(open.map((jarvis) => jarvis.close()));
      clearRegistries();
      await dir.remove();
    },
  };
}

export function clearRegistries(): void {
  for (const registry of [AgentRegistry, EngineRegistry, ToolRegistry]) registry.clear();
}

/** An engine of a plugin: answers with its name and the last message. */
export const engineCode = (id: string, extra = "") => `
  class Engine extends core.InferenceEngine {
    engineId = ${JSON.stringify(id)};
    constructor(options = {}) {
      super();
      core.checkOptionKeys("engine ${id}", options, ["host", "greeting"]);
      this.options = options;
    }
    async listModels() { return [{ id: "${id}-model" }]; }
    async *stream(messages, options) {
      yield { type: "model", model: options.model };
      yield { type: "text", text: (this.options.greeting ?? "${id}") + ": " + messages.at(-1).content };
      yield { type: "usage", usage: { promptTokens: 3, completionTokens: 2 } };
    }
    ${extra}
  }
  core.EngineRegistry.register(${JSON.stringify(id)})(Engine);
`;

/** A tool of a plugin that gives a fixed text. */
export const toolCode = (id: string, text = `result of ${id}`) => `
  core.ToolRegistry.registerValue(${JSON.stringify(id)}, core.defineTool({
    name: ${JSON.stringify(id)}, description: "A tool.", run: () => ${JSON.stringify(text)},
  }));
`;

/** An agent of a plugin that asks the model once. */
export const agentCode = (id: string) => `
  core.AgentRegistry.register(${JSON.stringify(id)})(class extends core.BaseAgent {
    agentId = ${JSON.stringify(id)};
    static optionKeys = ["mode"];
    async respond(run) {
      run.turns = 1;
      return this.result(run, (await this.generate(run, this.buildMessages(run))).content, "final");
    }
  });
`;
