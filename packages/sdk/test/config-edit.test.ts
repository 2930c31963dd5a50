import { lstat, readdir, readFile, stat, symlink } from "node:fs/promises";
import { isJarvisError } from "@openjarvis/core";
import { type TempDir, tempDir } from "@openjarvis/testing";
import fc from "fast-check";
import { parse } from "smol-toml";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ConfigValue, getConfigValue, loadConfig, setConfigValue } from "../src/index.js";

let dir: TempDir;
let file: string;

beforeEach(async () => {
  dir = await tempDir();
  file = dir.join("home/config.toml");
});

afterEach(() => dir.remove());

async function edited(text: string, key: string, value: ConfigValue | undefined): Promise<string> {
  await dir.write("home/config.toml", text);
  await setConfigValue(file, key, value);
  return readFile(file, "utf8");
}

describe("setting a key", () => {
  const cases: [name: string, before: string, key: string, value: ConfigValue | undefined, after: string][] =
    [
      ["makes a section", "", "engine.default", "rules", '[engine]\ndefault = "rules"\n'],
      [
        "adds a section at the end, with a line between",
        "# mine\n[agent]\nmax_turns = 3",
        "intelligence.temperature",
        0.2,
        "# mine\n[agent]\nmax_turns = 3\n\n[intelligence]\ntemperature = 0.2\n",
      ],
      [
        "replaces the value and keeps comments, spaces and order",
        '# head\n[engine] # where\n  default   =  "ollama"   # fast\n\n# tail\n',
        "engine.default",
        "rules",
        '# head\n[engine] # where\n  default   =  "rules"   # fast\n\n# tail\n',
      ],
      [
        "adds to the end of its section, before the comments of the next",
        "[agent]\n  max_turns = 3 # few\n\n# next\n[tools]\nenabled = []\n",
        "agent.default_agent",
        "simple",
        '[agent]\n  max_turns = 3 # few\n  default_agent = "simple"\n\n# next\n[tools]\nenabled = []\n',
      ],
      [
        "adds to an empty section",
        "[agent]\n\n[tools]\n",
        "agent.max_turns",
        3,
        "[agent]\nmax_turns = 3\n\n[tools]\n",
      ],
      [
        "replaces a list over several lines",
        '[tools]\nenabled = [\n  "a", # one\n]\ntimeout_seconds = 5\n',
        "tools.enabled",
        ["b", "c"],
        '[tools]\nenabled = ["b", "c"]\ntimeout_seconds = 5\n',
      ],
      [
        "changes a key inside braces",
        "engine = { default = 'a', ollama = { host = 'x' } } # inline\n",
        "engine.ollama.host",
        "y",
        "engine = { default = 'a', ollama = { host = \"y\" } } # inline\n",
      ],
      [
        "adds a key inside braces",
        "[engine]\nollama = { host = 'x' }\nvllm = {}\n",
        "engine.ollama.num_ctx",
        8192,
        "[engine]\nollama = { host = 'x', num_ctx = 8192 }\nvllm = {}\n",
      ],
      [
        "adds a key inside empty braces",
        "[engine]\nvllm = {}\n",
        "engine.vllm.host",
        "h",
        '[engine]\nvllm = { host = "h" }\n',
      ],
      [
        "adds a table inside braces",
        "engine = { default = 'a' }\n",
        "engine.ollama.host",
        "h",
        "engine = { default = 'a', ollama.host = \"h\" }\n",
      ],
      [
        "goes on with dotted keys where a section is written so",
        "agent.max_turns = 3 # few\ntools.enabled = []\n",
        "agent.default_agent",
        "simple",
        'agent.max_turns = 3 # few\nagent.default_agent = "simple"\ntools.enabled = []\n',
      ],
      [
        "goes on with dotted keys inside a section",
        "[engine]\nollama.host = 'x'\n",
        "engine.ollama.num_ctx",
        1,
        "[engine]\nollama.host = 'x'\nollama.num_ctx = 1\n",
      ],
      [
        "opens a table of its own beside the section",
        "[engine]\ndefault = 'x'\n",
        "engine.ollama.host",
        "h",
        "[engine]\ndefault = 'x'\n\n[engine.ollama]\nhost = \"h\"\n",
      ],
      [
        "keeps the line ends of Windows",
        "[agent]\r\nmax_turns = 3\r\n",
        "agent.default_agent",
        "rlm",
        '[agent]\r\nmax_turns = 3\r\ndefault_agent = "rlm"\r\n',
      ],
      [
        "quotes a name that needs it",
        "",
        'plugins.prefer."a b"',
        '@x/"y"',
        '[plugins.prefer]\n"a b" = "@x/\\"y\\""\n',
      ],
      [
        "removes a line",
        "[agent]\nmax_turns = 3 # x\n# keep\n",
        "agent.max_turns",
        undefined,
        "[agent]\n# keep\n",
      ],
      [
        "removes the first and the last of braces",
        "engine = { default = 'a', ollama = { host = 'x' } }\n",
        "engine.default",
        undefined,
        "engine = { ollama = { host = 'x' } }\n",
      ],
      [
        "removes the last of braces",
        "[engine]\nollama = { host = 'x', num_ctx = 1 }\n",
        "engine.ollama.num_ctx",
        undefined,
        "[engine]\nollama = { host = 'x' }\n",
      ],
      ["removes nothing when nothing is there", "# x\n", "agent.max_turns", undefined, "# x\n"],
    ];

  for (const [name, before, key, value, after] of cases) {
    it(name, async () => {
      expect(await edited(before, key, value)).toBe(after);
      expect(await getConfigValue(file, key)).toEqual(value);
    });
  }

  it("reads a text from a command line as what the key takes", async () => {
    const typed: [string, string, unknown][] = [
      ["intelligence.temperature", " 0.2 ", 0.2],
      ["intelligence.max_tokens", "4096", 4096],
      ["engine.ollama.num_ctx", "8192", 8192],
      ["engine.ollama.think", "true", true],
      ["engine.ollama.host", "http://10.0.0.1", "http://10.0.0.1"],
      ["intelligence.default_model", "7", "7"],
      ["tools.enabled", "a, b", "a, b"],
    ];
    for (const [key, text, value] of typed) {
      await setConfigValue(file, key, text);
      expect(await getConfigValue(file, key), key).toEqual(value);
    }
    expect((await loadConfig({ configPath: file, env: {} })).config.tools.enabled).toEqual(["a", "b"]);
  });

  it("refuses what the key does not take, and leaves the file as it is", async () => {
    const text = "[agent]\nmax_turns = 3\n";
    const refused: [string, ConfigValue, string, string][] = [
      [
        "agent.max_turns",
        "many",
        "OJ_CONFIG_VALUE",
        'agent.max_turns is "many"; it must be a whole number, 1 or more.',
      ],
      [
        "agent.max_turns",
        0,
        "OJ_CONFIG_VALUE",
        "agent.max_turns is 0; it must be a whole number, 1 or more.",
      ],
      [
        "agent.max_turn",
        1,
        "OJ_CONFIG_KEY",
        'config.toml has no key "agent.max_turn". Did you mean "agent.max_turns"?',
      ],
      ["engine.ollama", "x", "OJ_CONFIG_KEY", '"engine.ollama" is a section of config.toml, no key.'],
      ["engine", "x", "OJ_CONFIG_KEY", 'config.toml has no key "engine".'],
      [
        "agent.max_turns.x",
        1,
        "OJ_CONFIG_KEY",
        'config.toml has no key "agent.max_turns.x". Did you mean "agent.max_turns"?',
      ],
      ["", 1, "OJ_CONFIG_KEY", 'config.toml has no key "".'],
      [
        "engine.ollama.host",
        "\ud800",
        "OJ_CONFIG_VALUE",
        "A config file cannot hold a text with half a character.",
      ],
      ["engine.ollama.host", Number.NaN, "OJ_CONFIG_VALUE", "A config file cannot hold NaN."],
      ["engine.ollama.numCtx", 1, "OJ_CONFIG_KEY", 'the key "numCtx" has capital letters.'],
    ];
    for (const [key, value, code, message] of refused) {
      const error: unknown = await edited(text, key, value).catch((reason: unknown) => reason);
      if (!isJarvisError(error)) throw new Error(`${key}: no error`);
      expect([error.code, error.message]).toEqual([code, message]);
      expect(await readFile(file, "utf8")).toBe(text);
    }
  });

  it("repairs one wrong value in a file that has others, but no malformed file", async () => {
    const text = "[agent]\nmax_turns = 0\n[intelligence]\ntemprature = 1\n";
    expect(await edited(text, "agent.max_turns", 5)).toBe(
      "[agent]\nmax_turns = 5\n[intelligence]\ntemprature = 1\n",
    );
    await expect(edited("[agent\n", "agent.max_turns", 5)).rejects.toMatchObject({
      code: "OJ_CONFIG_SYNTAX",
    });
  });

  it("makes the home 0700 and the file 0600, and leaves nothing else behind", async () => {
    await setConfigValue(file, "engine.default", "rules");
    expect((await stat(dir.join("home"))).mode & 0o777).toBe(0o700);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(dir.join("home"))).toEqual(["config.toml"]);
  });

  it("writes through a link and keeps it", async () => {
    const real = await dir.write("dotfiles/jarvis.toml", "# mine\n");
    await dir.write("home/.keep", "");
    await symlink(real, file);
    await setConfigValue(file, "engine.default", "rules");
    expect((await lstat(file)).isSymbolicLink()).toBe(true);
    expect(await readFile(real, "utf8")).toBe('# mine\n\n[engine]\ndefault = "rules"\n');
  });

  it("loses none of many edits at once", async () => {
    const names = Array.from({ length: 20 }, (_, index) => `key_${index}`);
    await Promise.all(names.map((name, index) => setConfigValue(file, `engine.ollama.${name}`, index)));
    const tree = parse(await readFile(file, "utf8")) as { engine: { ollama: object } };
    expect(tree.engine.ollama).toEqual(Object.fromEntries(names.map((name, index) => [name, index])));
  });

  it("says what is wrong with a home that cannot be written", async () => {
    const blocked = await dir.write("blocked", "a file");
    await expect(setConfigValue(`${blocked}/config.toml`, "engine.default", "rules")).rejects.toMatchObject({
      code: "OJ_HOME",
      message: expect.stringContaining(`${blocked} is not a folder`),
    });
  });
});

describe("reading a key", () => {
  it("gives nothing for a file or key that is missing, and a table for a section", async () => {
    expect(await getConfigValue(file, "engine.default")).toBeUndefined();
    await dir.write("home/config.toml", "[engine.ollama]\nhost = 'x'\n");
    expect(await getConfigValue(file, "engine.default")).toBeUndefined();
    expect(await getConfigValue(file, "engine.ollama")).toEqual({ host: "x" });
    await expect(getConfigValue(file, "nothing.here")).rejects.toMatchObject({ code: "OJ_CONFIG_KEY" });
  });
});

describe("any row of edits", () => {
  it("ends in the file that was meant, with every comment still there", async () => {
    const starts = fc.constantFrom(
      "",
      "# a\n[engine] # b\ndefault = 'x' # c\n\n# d\n[engine.ollama] # e\nhost = '''h''' # f\n",
      "engine.default = 'x' # a\nengine.ollama.host = 'y' # b\n# c\n",
      "engine = { default = 'x', ollama = { } } # a\n# b\n",
      "# a\r\n[engine]\r\nollama = { host = 'h', num_ctx = 1 } # b\r\n[agent]#c\r\nmax_turns=1",
    );
    const value = fc.oneof(fc.string(), fc.integer({ min: 0, max: 9 }), fc.boolean(), fc.array(fc.string()));
    const edit = fc.oneof(
      fc.tuple(
        fc.constantFrom("engine.ollama.host", "engine.ollama.x", "engine.vllm.a.b", "agent.rlm.x"),
        fc.option(value, { nil: undefined }),
      ),
      fc.tuple(
        fc.constant("agent.max_turns"),
        fc.option(fc.integer({ min: 1, max: 99 }), { nil: undefined }),
      ),
      fc.tuple(fc.constant("engine.default"), fc.option(fc.string({ minLength: 1 }), { nil: undefined })),
    );
    await fc.assert(
      fc.asyncProperty(starts, fc.array(edit, { maxLength: 6 }), async (start, edits) => {
        await dir.write("home/config.toml", start);
        const comments = start.match(/#\s?[a-f]/g) ?? [];
        for (const [key, wanted] of edits) {
          await setConfigValue(file, key, wanted);
          const got = await getConfigValue(file, key);
          const isTyped = typeof wanted === "string" && typeof got !== "string";
          if (!isTyped) expect(got).toEqual(wanted);
          const text = await readFile(file, "utf8");
          const kept = comments.filter((comment) => text.includes(comment));
          // The comment behind a line goes with the line.
          expect(kept.length).toBeGreaterThanOrEqual(comments.length - edits.length);
          if (edits.every(([, item]) => item !== undefined)) expect(kept).toEqual(comments);
        }
      }),
      { numRuns: 150 },
    );
  });
});
