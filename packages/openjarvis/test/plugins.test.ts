import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { outcomeOf, TestHome } from "./helpers/jarvis.js";
import { TestRegistry } from "./helpers/registry.js";

const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));

let home: TestHome;
beforeEach(() => {
  home = new TestHome();
});
afterEach(() => home.remove());

// Nothing answers there: what works in these tests works without a network.
const offline = { npm_config_registry: "http://127.0.0.1:9", npm_config_fetch_retries: "0" };

function jarvis(args: readonly string[], env: NodeJS.ProcessEnv = offline) {
  return home.run(args, { env });
}

/** Copies a fixture into the working folder, with changes to its package.json. */
function pluginFolder(name: string, changes: Record<string, unknown> = {}): string {
  const dir = join(home.cwd, name);
  cpSync(fixture(name), dir, { recursive: true });
  const file = join(dir, "package.json");
  const json = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  writeFileSync(file, JSON.stringify({ ...json, ...changes }));
  return dir;
}

const added = () => {
  const file = join(home.home, "plugins", "package.json");
  const { dependencies } = JSON.parse(readFileSync(file, "utf8")) as { dependencies: Record<string, string> };
  return Object.keys(dependencies).filter((name) => !name.startsWith("@openjarvis/"));
};

// npm runs several times in most of these.
const patient = { timeout: 90_000 };

describe("jarvis plugins", patient, () => {
  it("adds a plugin from a folder without a network, uses it, and removes it", async () => {
    pluginFolder("engine-echo");
    const add = await jarvis(["plugins", "add", "--yes", "./engine-echo"]);
    expect(add.stderr).toMatch(
      /@fixture\/engine-echo 1\.2\.3.*provides {3}engines: echo.*comes from this machine/s,
    );
    expect(add.stdout).toBe("Added @fixture/engine-echo 1.2.3\n");
    expect(add.code).toBe(0);

    const list = JSON.parse((await jarvis(["plugins", "list", "--json"])).stdout) as { name: string }[];
    expect(list.find(({ name }) => name === "@fixture/engine-echo")).toMatchObject({
      version: "1.2.3",
      origin: "home",
      status: "ok",
      provides: { engines: ["echo"] },
    });
    expect((await jarvis(["ask", "--engine", "echo", "--agent", "simple", "hi"])).stdout).toBe("user: hi\n");

    const remove = await jarvis(["plugins", "remove", "@fixture/engine-echo"]);
    expect(remove).toMatchObject({ code: 0, stdout: "Removed @fixture/engine-echo\n" });
    expect((await jarvis(["engine", "list"])).stdout).not.toContain("echo");
  });

  it("adds what was looked at: a later change of the folder changes nothing", async () => {
    const dir = pluginFolder("engine-echo");
    expect((await jarvis(["plugins", "add", "--yes", dir])).code).toBe(0);
    writeFileSync(join(dir, "index.js"), "throw new Error('changed');");
    expect((await jarvis(["ask", "--engine", "echo", "--agent", "simple", "hi"])).stdout).toBe("user: hi\n");
  });

  it("takes the place of an earlier build of a version", async () => {
    const dir = pluginFolder("tool-danger");
    await jarvis(["plugins", "add", "--yes", dir]);
    const index = join(dir, "index.js");
    writeFileSync(index, readFileSync(index, "utf8").replace("may allow", "should allow"));
    expect((await jarvis(["plugins", "add", "--yes", dir])).code).toBe(0);
    expect((await jarvis(["tool", "inspect", "danger"])).stdout).toContain("should allow");
  });

  it("keeps the plugin home to its owner", async () => {
    await jarvis(["plugins", "add", "--yes", fixture("tool-danger")]);
    expect(statSync(join(home.home, "plugins")).mode & 0o077).toBe(0);
  });

  it("adds nothing without a yes", async () => {
    const { code, stderr } = await jarvis(["plugins", "add", fixture("tool-danger")]);
    expect(stderr).toMatch(/OJ_PLUGIN_INSTALL.*no terminal to ask.*\n.*--yes/);
    expect(code).toBe(1);
    expect(existsSync(join(home.home, "plugins"))).toBe(false);
  });

  it.each([
    ["is no plugin", { openjarvis: undefined }, /OJ_PLUGIN_INSTALL.*is no plugin/],
    ["needs another plugin API", { openjarvis: { apiVersion: 2, provides: {} } }, /OJ_PLUGIN_API.*API 2/],
    [
      "has a wrong manifest",
      { openjarvis: { apiVersion: 1, provides: { toys: ["x"] } } },
      /OJ_PLUGIN_MANIFEST.*toys/,
    ],
    [
      "has ranges of a workspace",
      { peerDependencies: { "@openjarvis/core": "workspace:*" } },
      /workspace:\*.*\n.*pnpm pack/,
    ],
    [
      "is made for another core",
      { peerDependencies: { "@openjarvis/core": ">=7" } },
      /OJ_PLUGIN_INSTALL.*>=7/,
    ],
  ])("refuses a package that %s, and leaves no trace of it", async (_what, changes, message) => {
    const dir = pluginFolder("tool-danger", changes);
    const { code, stderr } = await jarvis(["plugins", "add", "--yes", dir]);
    expect(stderr).toMatch(message);
    expect(code).toBe(1);
    expect(added()).toEqual([]);
    expect(existsSync(join(home.home, "plugins", "node_modules", "@fixture"))).toBe(false);
  });

  it("says plainly that a registry cannot be reached, and that something is not there", async () => {
    expect((await jarvis(["plugins", "add", "--yes", "@acme/thing"])).stderr).toMatch(
      /registry cannot be reached/,
    );
    expect((await jarvis(["plugins", "add", "--yes", "./thing"])).stderr).toMatch(/\.\/thing does not exist/);
  });

  it("runs no install script unless it is allowed by name", async () => {
    const changes = {
      scripts: { postinstall: "node -e \"require('fs').writeFileSync(process.env.WITNESS_FILE, 'ran')\"" },
    };
    const dir = pluginFolder("tool-danger", changes);
    const witness = join(home.dir, "witness");
    const first = await jarvis(["plugins", "add", "--yes", dir]);
    expect(first.stderr).toMatch(/@fixture\/tool-danger has an install script, which will not run/);
    expect(first.stderr).toContain("--allow-scripts @fixture/tool-danger");
    expect(existsSync(witness)).toBe(false);
    const second = await jarvis(["plugins", "add", "--yes", dir, "--allow-scripts", "@fixture/tool-danger"]);
    expect(second.stderr).toContain("which will run");
    expect(second.code).toBe(0);
    expect(readFileSync(witness, "utf8")).toBe("ran");
  });

  it("removes only what was added", async () => {
    await jarvis(["plugins", "add", "--yes", fixture("tool-danger")]);
    const typo = await jarvis(["plugins", "remove", "@fixture/tool-dangr"]);
    expect(typo.stderr).toMatch(/OJ_PLUGIN_NOT_FOUND.*Did you mean "@fixture\/tool-danger"/);
    const own = await jarvis(["plugins", "remove", "@openjarvis/tool-think"]);
    expect(own.stderr).toMatch(/OJ_PLUGIN_NOT_FOUND.*\n.*part of this distribution/);
    const core = await jarvis(["plugins", "remove", "@openjarvis/core"]);
    expect(core.code).toBe(1);
    expect(added()).toEqual(["@fixture/tool-danger"]);
  });

  it("lets one process at a time change the plugins", async () => {
    await jarvis(["plugins", "add", "--yes", fixture("tool-danger")]);
    writeFileSync(join(home.home, "plugins", ".lock"), String(process.pid));
    const { code, stderr } = await jarvis(["plugins", "remove", "@fixture/tool-danger"]);
    expect(stderr).toMatch(new RegExp(`Another jarvis is changing the plugins \\(process ${process.pid}\\)`));
    expect(code).toBe(1);
    // The lock of a process that is gone counts for nothing.
    writeFileSync(join(home.home, "plugins", ".lock"), "999999999");
    expect((await jarvis(["plugins", "remove", "@fixture/tool-danger"])).code).toBe(0);
  });

  it("leaves the plugins alone with --no-plugins", async () => {
    await jarvis(["plugins", "add", "--yes", fixture("tool-danger")]);
    expect((await jarvis(["tool", "list"])).stdout).toContain("danger");
    expect((await jarvis(["--no-plugins", "tool", "list"])).stdout).not.toContain("danger");
    expect((await jarvis(["tool", "list", "--no-plugins"])).stdout).not.toContain("danger");
  });
});

describe("a plugin of a registry", patient, () => {
  let registry: TestRegistry;
  beforeEach(async () => {
    registry = new TestRegistry();
    await registry.listen();
  });
  afterEach(() => registry.close());

  it("is added with its exact version, and who published it is shown; our own core serves when no registry has it", async () => {
    registry.publish(pluginFolder("engine-echo"), { user: "ada", provenance: true });
    const env = { npm_config_registry: registry.url, npm_config_fetch_retries: "0" };
    const add = await jarvis(["plugins", "add", "--yes", "@fixture/engine-echo"], env);
    expect(add.stderr).toContain("published  by ada, with provenance");
    expect(add.stdout).toBe("Added @fixture/engine-echo 1.2.3\n");
    expect(registry.missing).toContain("/@openjarvis/core");
    const json = JSON.parse(readFileSync(join(home.home, "plugins", "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    expect(json.dependencies).toMatchObject({ "@fixture/engine-echo": "1.2.3" });
    expect((await jarvis(["ask", "--engine", "echo", "--agent", "simple", "hi"], env)).stdout).toBe(
      "user: hi\n",
    );
  });

  it("leaves everything as it was when adding is cancelled", async () => {
    await jarvis(["plugins", "add", "--yes", fixture("tool-danger")]);
    const before = readdirSync(join(home.home, "plugins"));
    const child = home.start(["plugins", "add", "--yes", "@acme/slow"], {
      env: { npm_config_registry: registry.url },
    });
    registry.onMissing = () => child.kill("SIGINT");
    expect((await outcomeOf(child)).code).toBe(130);
    expect(readdirSync(join(home.home, "plugins"))).toEqual(before);
    expect(added()).toEqual(["@fixture/tool-danger"]);
  });

  it("that is not there is named", async () => {
    const env = { npm_config_registry: registry.url };
    const { code, stderr } = await jarvis(["plugins", "add", "--yes", "@acme/nothing"], env);
    expect(stderr).toMatch(/the registry has no @acme\/nothing\./);
    expect(code).toBe(1);
  });
});

describe("plugins of a project", () => {
  it("are ignored until the project is trusted", async () => {
    home.install(home.cwd, ["tool-witness"]);
    const before = await jarvis(["tool", "list"]);
    expect(before.stdout).not.toContain("witness");
    expect(before.stderr).toMatch(/1 plugin of this project is ignored.*plugins trust/);
    const asked = await jarvis(["ask", "--tools", "witness", "hi"]);
    expect(asked.stderr).toMatch(/OJ_TOOL_NOT_INSTALLED.*\n.*not trusted.*plugins trust/);
    expect(asked.code).toBe(1);

    const trust = await jarvis(["plugins", "trust"]);
    expect(trust.stdout).toMatch(/^Trusted: .*work\n$/);
    expect(trust.stderr).toContain("@fixture/tool-witness 1.0.0");
    expect((await jarvis(["tool", "list"])).stdout).toContain("witness");
    expect(existsSync(join(home.dir, "witness"))).toBe(false);
  });

  it("can only be trusted where there is a project", async () => {
    const { code, stderr } = await home.run(["plugins", "trust", "/"], { env: offline });
    expect(stderr).toMatch(/OJ_USAGE.*no project/);
    expect(code).toBe(2);
  });
});

describe("jarvis plugins doctor", patient, () => {
  it("is content with the standard distribution", async () => {
    const { code, stdout } = await jarvis(["plugins", "doctor"]);
    expect(stdout).toMatch(/node +\S+ +ok/);
    expect(stdout).toMatch(/core +\S+ +ok/);
    expect(stdout).toMatch(
      /plugin +@openjarvis\/tool-calculator \S+ +ok +distribution {2}tools: calculator {2}\d+ ms/,
    );
    expect(stdout).toMatch(/0 errors, 0 warnings\n$/);
    expect(code).toBe(0);
  });

  interface Variant {
    /** Put before the code, or in its place. */
    code?: { before?: string; all?: string };
    json?: Record<string, unknown>;
    expected: RegExp;
  }

  /** Puts variants of a fixture into the plugin home, each under a name and with a tool of its own. */
  function installVariants(variants: Readonly<Record<string, Variant>>): void {
    const plugins = join(home.home, "plugins");
    home.install(plugins, ["tool-danger"]);
    const modules = join(plugins, "node_modules", "@fixture");
    for (const [name, { code, json }] of Object.entries(variants)) {
      const dir = join(modules, name);
      cpSync(join(modules, "tool-danger"), dir, { recursive: true });
      const tool = name.replaceAll("-", "_");
      const original = readFileSync(join(dir, "index.js"), "utf8").replaceAll('"danger"', `"${tool}"`);
      writeFileSync(join(dir, "index.js"), code?.all ?? `${code?.before ?? ""}\n${original}`);
      const manifest = JSON.parse(readFileSync(join(dir, "package.json"), "utf8")) as Record<string, unknown>;
      const own = { name: `@fixture/${name}`, openjarvis: { apiVersion: 1, provides: { tools: [tool] } } };
      writeFileSync(join(dir, "package.json"), JSON.stringify({ ...manifest, ...own, ...json }));
    }
    const dependencies = Object.fromEntries(Object.keys(variants).map((name) => [`@fixture/${name}`, "*"]));
    writeFileSync(join(plugins, "package.json"), JSON.stringify({ private: true, dependencies }));
  }

  const lineOf = (stdout: string, name: string) =>
    stdout
      .split("\n")
      .filter((line) => line.includes(`@fixture/${name} `))
      .join("\n");

  it("reports what keeps a plugin from working, ends with 1, and lets the others work", async () => {
    const provides = (tools: readonly string[]) => ({ openjarvis: { apiVersion: 1, provides: { tools } } });
    const variants: Record<string, Variant> = {
      throws: {
        code: { all: "throw new Error('no voice today');" },
        expected: /ERROR.*OJ_PLUGIN_LOAD.*no voice today/,
      },
      unparsable: { code: { all: "this is no JavaScript" }, expected: /ERROR.*OJ_PLUGIN_LOAD/ },
      exits: { code: { all: "process.exit(3);" }, expected: /ERROR.*ended the process with code 3/ },
      silent: { code: { all: "" }, expected: /ERROR.*OJ_PLUGIN_MANIFEST.*silent/ },
      "no-file": { json: { exports: { ".": { default: "./none.js" } } }, expected: /ERROR.*none\.js/ },
      "no-default": { json: { exports: { ".": { import: "./index.js" } } }, expected: /ERROR.*"default"/ },
      "other-api": {
        json: { openjarvis: { apiVersion: 9, provides: {} } },
        expected: /ERROR.*OJ_PLUGIN_API.*API 9/,
      },
      "no-kind": {
        json: { openjarvis: { apiVersion: 1, provides: { toys: ["x"] } } },
        expected: /ERROR.*toys/,
      },
      second: { json: provides(["throws"]), code: { all: "" }, expected: /ERROR/ },
    };
    installVariants(variants);
    const { code, stdout } = await jarvis(["plugins", "doctor"]);
    for (const [name, { expected }] of Object.entries(variants))
      expect(lineOf(stdout, name), name).toMatch(expected);
    expect(stdout).toMatch(
      /tools +throws +ERROR +OJ_DUPLICATE_ID.*@fixture\/throws \(home\) and @fixture\/second \(home\)/,
    );
    expect(stdout).toMatch(/@openjarvis\/tool-calculator \S+ +ok/);
    expect(code).toBe(1);
    expect((await jarvis(["ask", "--tools", "calculator", "What is 2+2?"])).code).toBe(0);
    expect((await jarvis(["plugins", "list"])).stdout).toMatch(/@fixture\/other-api .*error .*API 9/);
  });

  it("warns about what works but should be mended, and ends with 0", async () => {
    const variants: Record<string, Variant> = {
      prints: {
        code: { before: 'console.log("hello");' },
        expected: /warn.*prints when it is imported: hello/,
      },
      effects: { json: { sideEffects: false }, expected: /warn.*sideEffects/ },
      "other-core": {
        json: { peerDependencies: { "@openjarvis/core": ">=7" } },
        expected: /warn.*made for @openjarvis\/core >=7/,
      },
      "no-peer": { json: { peerDependencies: {} }, expected: /warn.*peerDependencies/ },
      "other-node": { json: { engines: { node: ">=99" } }, expected: /warn.*Node >=99/ },
      keyless: {
        json: { openjarvis: { apiVersion: 1, provides: { tools: ["keyless"] }, env: ["NO_SUCH_KEY"] } },
        expected: /warn.*NO_SUCH_KEY is not set/,
      },
      "odd-manifest": {
        json: { openjarvis: { apiVersion: 1, provides: { tools: ["odd_manifest"] }, colour: 1 } },
        expected: /warn.*colour/,
      },
    };
    installVariants(variants);
    const { code, stdout } = await jarvis(["plugins", "doctor"]);
    for (const [name, { expected }] of Object.entries(variants))
      expect(lineOf(stdout, name), name).toMatch(expected);
    expect(stdout).toMatch(/0 errors, 7 warnings\n$/);
    expect(code).toBe(0);
  });

  it("is read by programs with --json", async () => {
    home.install(join(home.home, "plugins"), ["tool-danger"]);
    const { code, stdout } = await jarvis(["plugins", "doctor", "--json"]);
    const report = JSON.parse(stdout) as {
      ok: boolean;
      checks: { area: string; name: string; status: string; copies?: unknown[] }[];
    };
    expect(report.ok).toBe(true);
    expect(report.checks.find(({ name }) => name === "@fixture/tool-danger 0.3.0")).toMatchObject({
      area: "plugin",
      status: "ok",
      origin: "home",
      milliseconds: expect.any(Number),
    });
    expect(code).toBe(0);
  });
});
