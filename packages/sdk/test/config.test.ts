import { isJarvisError } from "@openjarvis/core";
import { type TempDir, tempDir } from "@openjarvis/testing";
import fc from "fast-check";
import { parse } from "smol-toml";
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import {
  type Config,
  type ConfigInput,
  configFile,
  configKeys,
  homePaths,
  loadConfig,
  resolveHome,
  validateConfigText,
} from "../src/index.js";

let dir: TempDir;
let file: string;

beforeEach(async () => {
  dir = await tempDir();
  file = dir.join("config.toml");
});

afterEach(() => dir.remove());

async function load(text: string, config?: ConfigInput) {
  await dir.write("config.toml", text);
  return loadConfig({ home: dir.path, env: {}, ...(config === undefined ? {} : { config }) });
}

/** Code and message of the error, with the file's folder left out. */
async function refusal(text: string, config?: ConfigInput): Promise<[string, string, string]> {
  const error: unknown = await load(text, config).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isJarvisError(error)) throw new Error(`No JarvisError: ${String(error)}`);
  return [error.code, error.message.replaceAll(`${dir.path}/`, ""), error.hint];
}

describe("reading config.toml", () => {
  it("leaves every setting unset when there is no file", async () => {
    const loaded = await loadConfig({ home: dir.path, env: {} });
    expect(loaded).toMatchObject({ path: file, exists: false, set: {} });
    expect(loaded.config).toEqual({
      engine: { options: {} },
      intelligence: {},
      agent: { options: {} },
      tools: { alwaysConfirm: [], allowedDirs: [] },
      plugins: { disabled: [], prefer: {} },
    });
  });

  it("reads every section in TypeScript spelling", async () => {
    const { config, set, exists } = await load(`
      [engine]
      default = "ollama"
      [engine.ollama]
      host = "http://10.0.0.1:11434"
      num_ctx = 8192
      headers = { x_api_key = "k" }
      [intelligence]
      default_model = "qwen3:8b"
      temperature = 0
      max_tokens = 2048
      [agent]
      default_agent = "orchestrator"
      max_turns = 4
      tools = ["think"]
      system_prompt = ""
      [agent.rlm]
      sub_model = "qwen3:1b"
      loop_guard = { max_identical_calls = 2 }
      [tools]
      enabled = " calculator, think ,calculator,"
      timeout_seconds = 0.5
      always_confirm = ["file_read"]
      allowed_dirs = ["~/notes"]
      [plugins]
      disabled = ["@acme/a"]
      prefer = { calculator = "@acme/calc" }
    `);
    expect(config).toEqual({
      engine: {
        default: "ollama",
        options: { ollama: { host: "http://10.0.0.1:11434", numCtx: 8192, headers: { x_api_key: "k" } } },
      },
      intelligence: { defaultModel: "qwen3:8b", temperature: 0, maxTokens: 2048 },
      agent: {
        defaultAgent: "orchestrator",
        maxTurns: 4,
        tools: ["think"],
        systemPrompt: "",
        options: { rlm: { subModel: "qwen3:1b", loopGuard: { maxIdenticalCalls: 2 } } },
      },
      tools: {
        enabled: ["calculator", "think"],
        timeoutSeconds: 0.5,
        alwaysConfirm: ["file_read"],
        allowedDirs: ["~/notes"],
      },
      plugins: { disabled: ["@acme/a"], prefer: { calculator: "@acme/calc" } },
    });
    expect(exists).toBe(true);
    expect(set).toMatchObject({
      "engine.default": "ollama",
      "engine.ollama.num_ctx": 8192,
      "intelligence.temperature": 0,
      "plugins.prefer.calculator": "@acme/calc",
    });
    expect(set).not.toHaveProperty("agent.context");
  });

  it("cannot be changed after it is read", async () => {
    const { config } = await load('[engine.ollama]\nheaders = { a = "b" }\n[tools]\nenabled = ["x"]\n');
    const writable = config as { engine: { options: Record<string, Record<string, unknown>> } };
    expect(() => Object.assign(writable.engine.options, { vllm: {} })).toThrow(TypeError);
    expect(() => Object.assign(writable.engine.options.ollama?.headers as object, { c: "d" })).toThrow(
      TypeError,
    );
    expect(() => (config.tools.enabled as string[]).push("y")).toThrow(TypeError);
  });

  it("an empty file, one of comments, and one with a byte order mark are fine", async () => {
    for (const text of [
      "",
      "\n\n",
      "# nothing\n",
      "\uFEFF[engine]\ndefault = 'rules'\n",
      "[engine]\r\ndefault = 'rules'\r\n",
    ]) {
      expect((await load(text)).exists).toBe(true);
    }
  });

  it("says where a key is set", async () => {
    const { locate } = await load('\n[engine.ollama]\n# host\nhost = "x"\n', {
      intelligence: { temperature: 1 },
    });
    expect(locate("engine", "ollama", "host")).toBe(`${file}:4`);
    expect(locate("engine", "ollama", "other")).toBe(`${file}:2`);
    expect(locate("intelligence", "temperature")).toBe("the option `config`");
  });
});

describe("the file that is read", () => {
  it("is the option's, else OPENJARVIS_CONFIG, else config.toml in the home", () => {
    const env = { HOME: "/h", OPENJARVIS_CONFIG: "~/c.toml", OPENJARVIS_HOME: "/o" };
    expect(configFile({ env, configPath: "/x.toml" })).toEqual({ path: "/x.toml", named: true });
    expect(configFile({ env })).toEqual({ path: "/h/c.toml", named: true });
    expect(configFile({ env: { ...env, OPENJARVIS_CONFIG: " " } })).toEqual({
      path: "/o/config.toml",
      named: false,
    });
    expect(configFile({ env: { HOME: "/h" } }).path).toBe("/h/.openjarvis/config.toml");
  });

  it("must exist when it was named", async () => {
    await expect(
      loadConfig({ home: dir.path, configPath: dir.join("no.toml"), env: {} }),
    ).rejects.toMatchObject({
      code: "OJ_OPTION",
      message: `The config file ${dir.path}/no.toml does not exist.`,
    });
  });
});

describe("the home", () => {
  it("is OPENJARVIS_HOME, else .openjarvis in the user's folder", () => {
    expect(resolveHome({ OPENJARVIS_HOME: "/data/oj", HOME: "/h" })).toBe("/data/oj");
    expect(resolveHome({ OPENJARVIS_HOME: "~/oj", HOME: "/h" })).toBe("/h/oj");
    expect(resolveHome({ OPENJARVIS_HOME: "  ", HOME: "/h" })).toBe("/h/.openjarvis");
    expect(homePaths("/h/.openjarvis")).toEqual({
      home: "/h/.openjarvis",
      config: "/h/.openjarvis/config.toml",
      plugins: "/h/.openjarvis/plugins",
      trust: "/h/.openjarvis/trusted-projects.json",
    });
  });

  it("that is a file is an error that names it", async () => {
    const home = await dir.write("home", "I am a file");
    await expect(loadConfig({ home, env: {} })).rejects.toMatchObject({
      code: "OJ_HOME",
      message: `${home}/config.toml cannot be read: ${home} is not a folder.`,
      hint: `Check that ${home} is a folder you may read and write, or set OPENJARVIS_HOME to another.`,
    });
  });

  it("with a folder in place of the file is an error", async () => {
    await dir.write("config.toml/inner", "");
    await expect(loadConfig({ home: dir.path, env: {} })).rejects.toMatchObject({
      code: "OJ_HOME",
      message: `${file} cannot be read: it is a folder.`,
    });
  });

  it("with a file of unreasonable size is an error, and the file is not read", async () => {
    await dir.write("config.toml", "#".repeat(1_048_577));
    await expect(loadConfig({ home: dir.path, env: {} })).rejects.toMatchObject({ code: "OJ_HOME" });
  });
});

describe("what is wrong with a config", () => {
  const cases: [name: string, text: string, code: string, message: string][] = [
    [
      "an unknown key",
      "[intelligence]\n\ntemprature = 0.2\n",
      "OJ_CONFIG_KEY",
      'config.toml:3: [intelligence] has no key "temprature". Did you mean "temperature"?',
    ],
    [
      "an unknown section",
      "# x\n[inteligence]\ntemperature = 1\n",
      "OJ_CONFIG_KEY",
      'config.toml:2: there is no section "inteligence". Did you mean "intelligence"?',
    ],
    [
      "a mistyped key beside the tables of engines",
      '[engine]\ndefualt = "rules"\n',
      "OJ_CONFIG_KEY",
      'config.toml:2: [engine] has no key "defualt". Did you mean "default"?',
    ],
    [
      "a text for a number",
      '[intelligence]\ntemperature = "hot"\n',
      "OJ_CONFIG_VALUE",
      'config.toml:2: intelligence.temperature is "hot"; it must be a number from 0 to 2.',
    ],
    [
      "a boolean for a whole number",
      "[intelligence]\nmax_tokens = true\n",
      "OJ_CONFIG_VALUE",
      "config.toml:2: intelligence.max_tokens is true; it must be a whole number, 1 or more.",
    ],
    [
      "a fraction for a whole number",
      "[agent]\nmax_turns = 2.5\n",
      "OJ_CONFIG_VALUE",
      "config.toml:2: agent.max_turns is 2.5; it must be a whole number, 1 or more.",
    ],
    [
      "a number outside its range",
      "[intelligence]\ntemperature = 2.1\n",
      "OJ_CONFIG_VALUE",
      "config.toml:2: intelligence.temperature is 2.1; it must be a number from 0 to 2.",
    ],
    [
      "no number",
      "[intelligence]\ntemperature = nan\n",
      "OJ_CONFIG_VALUE",
      "config.toml:2: intelligence.temperature is NaN; it must be a number from 0 to 2.",
    ],
    [
      "a deadline without end",
      "[tools]\ntimeout_seconds = inf\n",
      "OJ_CONFIG_VALUE",
      "config.toml:2: tools.timeout_seconds is Infinity; it must be a number from 0.001 to 2147483.",
    ],
    [
      "a list of something else",
      "[tools]\nalways_confirm = [1, 2]\n",
      "OJ_CONFIG_VALUE",
      "config.toml:2: tools.always_confirm is [1,2]; it must be a list of names, or one text of names separated by commas.",
    ],
    [
      "an empty name",
      '[engine]\ndefault = ""\n',
      "OJ_CONFIG_VALUE",
      'config.toml:2: engine.default is ""; it must be a text that is not empty.',
    ],
    [
      "a table for a value",
      '[engine.default]\nname = "x"\n',
      "OJ_CONFIG_VALUE",
      'config.toml:1: engine.default is {"name":"x"}; it must be a text that is not empty.',
    ],
    [
      "a value for a section",
      "intelligence = 3\n",
      "OJ_CONFIG_VALUE",
      "config.toml:1: intelligence is 3; it must be a table.",
    ],
    [
      "a preference that is no package",
      "[plugins.prefer]\ncalculator = 1\n",
      "OJ_CONFIG_VALUE",
      'config.toml:1: plugins.prefer is {"calculator":1}; it must be a table of texts (id = "package").',
    ],
    [
      "capital letters in a key of an engine",
      "[engine.ollama]\nnumCtx = 8192\n",
      "OJ_CONFIG_KEY",
      'config.toml:2: the key "numCtx" has capital letters.',
    ],
    [
      "something of the system in an agent's table",
      '[agent.rlm]\nmodel = "x"\n',
      "OJ_CONFIG_KEY",
      'config.toml:2: "model" cannot be set for one agent.',
    ],
    [
      "a date among an engine's options",
      "[engine.ollama]\nkeep_alive = 2026-01-01\n",
      "OJ_CONFIG_VALUE",
      "config.toml:2: engine.ollama.keep_alive is 2026-01-01; it must be a text, a number, a list, a table, true or false.",
    ],
    [
      "malformed TOML",
      '[engine]\ndefault = "rules\n',
      "OJ_CONFIG_SYNTAX",
      "config.toml:2:17: this is not valid TOML: ",
    ],
    ["a key twice", "[agent]\nmax_turns = 1\nmax_turns = 2\n", "OJ_CONFIG_SYNTAX", "config.toml:3:"],
  ];

  for (const [name, text, code, message] of cases) {
    it(`${name} is ${code} with its line`, async () => {
      const [foundCode, foundMessage, hint] = await refusal(text);
      expect(foundCode).toBe(code);
      if (code === "OJ_CONFIG_SYNTAX") expect(foundMessage.startsWith(message)).toBe(true);
      else expect(foundMessage).toBe(message);
      expect(hint).not.toBe("");
    });
  }

  it("is all in the list, and the error counts what it does not show", async () => {
    const text = '[intelligence]\ntemperature = "hot"\nmax_tokns = 1\n[agent]\nmax_turns = 0\n';
    const problems = await validateConfigText(text, "c.toml");
    expect(problems.map(({ code, line, key }) => [code, line, key])).toEqual([
      ["OJ_CONFIG_VALUE", 2, "intelligence.temperature"],
      ["OJ_CONFIG_KEY", 3, "intelligence.max_tokns"],
      ["OJ_CONFIG_VALUE", 5, "agent.max_turns"],
    ]);
    expect((await refusal(text))[1]).toMatch(/ \(2 more in this file\.\)$/);
  });

  it("that is not UTF-8 is a syntax error", async () => {
    await dir.write("config.toml", new Uint8Array([0x5b, 0xff, 0x5d]));
    await expect(loadConfig({ home: dir.path, env: {} })).rejects.toMatchObject({
      code: "OJ_CONFIG_SYNTAX",
      message: `${file} is not UTF-8 text.`,
    });
  });
});

describe("settings given in code", () => {
  it("go before the file; option tables are merged key by key", async () => {
    const { config } = await load(
      '[engine]\ndefault = "a"\n[engine.ollama]\nhost = "h"\nnum_ctx = 1\n[tools]\nenabled = ["x"]\n',
      {
        engine: { default: "b", options: { ollama: { numCtx: 2 } } },
        tools: { enabled: [] },
        intelligence: { temperature: 0 },
      },
    );
    expect(config.engine).toEqual({ default: "b", options: { ollama: { host: "h", numCtx: 2 } } });
    expect(config.tools.enabled).toEqual([]);
    expect(config.intelligence.temperature).toBe(0);
  });

  it("are checked by the same rules, in their own spelling", async () => {
    expect(await refusal("", { intelligence: { maxToken: 1 } as never })).toEqual([
      "OJ_CONFIG_KEY",
      'In the option `config`: [intelligence] has no key "maxToken". Did you mean "maxTokens"?',
      "It may have: defaultModel, temperature, maxTokens.",
    ]);
    expect((await refusal("", { intelligence: { maxTokens: 0 } }))[1]).toBe(
      "In the option `config`: intelligence.maxTokens is 0; it must be a whole number, 1 or more.",
    );
    expect((await refusal("", { engine: { options: { ollama: "x" as never } } }))[0]).toBe("OJ_CONFIG_KEY");
    expect((await refusal("", "text" as never))[0]).toBe("OJ_CONFIG_VALUE");
  });

  it("have the type of the config, with everything optional", () => {
    expectTypeOf<ConfigInput["intelligence"]>().toEqualTypeOf<Partial<Config["intelligence"]> | undefined>();
    expectTypeOf<Config["intelligence"]["maxTokens"]>().toEqualTypeOf<number | undefined>();
  });
});

describe("the list of keys", () => {
  it("describes each key the check knows", async () => {
    for (const { key, type, description, default: fallback } of configKeys()) {
      expect(description, key).toMatch(/^[A-Z].*\.$/);
      expect(fallback, key).not.toBe("");
      const value = {
        text: '"x"',
        number: "1",
        integer: "1",
        list: '["x"]',
        map: '{ x = "y" }',
        table: "{ x = 1 }",
      }[type];
      const text = `${key.replace("<id>", "some_id")} = ${value}\n`;
      expect(await validateConfigText(text), text).toEqual([]);
    }
  });
});

describe("any text at all", () => {
  const words = fc.constantFrom(
    ...[
      "[engine]",
      "[engine.ollama]",
      "[[engine]]",
      "[agent.rlm]",
      "[tools]",
      "[plugins.prefer]",
      "\n",
      "\r\n",
      "=",
      " ",
    ],
    ...[
      "default",
      "host",
      "temperature",
      "enabled",
      "max_turns",
      "__proto__",
      "constructor",
      "'a'",
      '"b"',
      "# c",
    ],
    ...[
      "1",
      "0.5",
      "true",
      "nan",
      "2026-01-01",
      "[",
      "]",
      "{",
      "}",
      ",",
      ".",
      '"""',
      "'''",
      "\\",
      "\u0000",
      "é",
    ],
    ..."[intelligence]\ntemperature = 1\n|engine.default = 'x'\n|[agent]\nmax_turns = 3\n".split("|"),
  );
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(words, { maxLength: 30 }).map((parts) => parts.join("")),
  );

  it("is read, or refused with a typed error that names file and line", async () => {
    const path = dir.join("fuzz.toml");
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        await dir.write("fuzz.toml", text);
        const outcome = await loadConfig({ configPath: path, env: {}, home: dir.path }).catch(
          (error: unknown) => error,
        );
        if (!(outcome instanceof Error)) return;
        if (!isJarvisError(outcome, "OJ_CONFIG_SYNTAX", "OJ_CONFIG_KEY", "OJ_CONFIG_VALUE")) throw outcome;
        expect(outcome.message).toMatch(/fuzz\.toml(:\d+|\s)/);
        expect(Number(outcome.details.line)).toBeLessThanOrEqual(text.split("\n").length);
      }),
      { numRuns: 3000 },
    );
  });

  it("that is valid TOML is never called malformed", async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        let valid = true;
        try {
          parse(text);
        } catch {
          valid = false;
        }
        const problems = await validateConfigText(text);
        expect(problems.some(({ code }) => code === "OJ_CONFIG_SYNTAX")).toBe(!valid);
      }),
      { numRuns: 2000 },
    );
  });
});
