import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseManifest, pluginApiVersion } from "../src/index.js";

const good = { apiVersion: pluginApiVersion, provides: { tools: ["calculator"] } };
const parse = (openjarvis: unknown) => parseManifest({ name: "x", openjarvis });

describe("parseManifest", () => {
  it("reads a manifest", () => {
    expect(parse({ ...good, env: ["TAVILY_API_KEY"], entry: "./dist/register.js" })).toEqual({
      manifest: {
        apiVersion: 1,
        provides: { tools: ["calculator"] },
        env: ["TAVILY_API_KEY"],
        entry: "./dist/register.js",
      },
      problems: [],
    });
  });

  it("reads every kind of plugin", () => {
    const provides = {
      tools: ["t"],
      agents: ["a", "b"],
      engines: ["e"],
      memory: ["m"],
      sandboxes: ["s"],
      schedulers: ["c"],
      observers: ["o"],
    };
    expect(parse({ apiVersion: 1, provides })).toEqual({
      manifest: { apiVersion: 1, provides, env: [] },
      problems: [],
    });
  });

  it("warns about an unknown key and goes on", () => {
    expect(parse({ ...good, colour: "red" })).toMatchObject({
      manifest: { provides: { tools: ["calculator"] } },
      problems: [
        {
          level: "warning",
          code: "OJ_PLUGIN_MANIFEST",
          message: expect.stringContaining("openjarvis.colour"),
        },
      ],
    });
  });

  it.each<[string, unknown, string, RegExp]>([
    [
      "another API",
      { ...good, apiVersion: 2 },
      "OJ_PLUGIN_API",
      /needs plugin API 2; this OpenJarvis provides 1/,
    ],
    ["API 0", { ...good, apiVersion: 0 }, "OJ_PLUGIN_API", /needs plugin API 0/],
    [
      "an API that is text",
      { ...good, apiVersion: "1" },
      "OJ_PLUGIN_MANIFEST",
      /apiVersion must be a whole number/,
    ],
    ["no API", { provides: {} }, "OJ_PLUGIN_MANIFEST", /apiVersion/],
    ["no provides", { apiVersion: 1 }, "OJ_PLUGIN_MANIFEST", /provides must be an object/],
    [
      "provides that is a list",
      { apiVersion: 1, provides: ["calculator"] },
      "OJ_PLUGIN_MANIFEST",
      /provides must be an object/,
    ],
    [
      "an unknown kind",
      { apiVersion: 1, provides: { tool: ["x"] } },
      "OJ_PLUGIN_MANIFEST",
      /provides\.tool is no kind of plugin; there are: tools, agents/,
    ],
    [
      "a name that is no list",
      { apiVersion: 1, provides: { tools: "x" } },
      "OJ_PLUGIN_MANIFEST",
      /provides\.tools must be a list of names/,
    ],
    [
      "an empty name",
      { apiVersion: 1, provides: { tools: [""] } },
      "OJ_PLUGIN_MANIFEST",
      /must be a list of names/,
    ],
    ["env that is text", { ...good, env: "KEY" }, "OJ_PLUGIN_MANIFEST", /env must be a list/],
    [
      "an entry outside the package",
      { ...good, entry: "./../other.js" },
      "OJ_PLUGIN_MANIFEST",
      /entry must be a path inside/,
    ],
    ["an entry outside on Windows", { ...good, entry: ".\\..\\other.js" }, "OJ_PLUGIN_MANIFEST", /entry/],
    ["an absolute entry", { ...good, entry: "/etc/passwd" }, "OJ_PLUGIN_MANIFEST", /entry/],
    [
      "an entry that is an address",
      { ...good, entry: "data:text/javascript,1" },
      "OJ_PLUGIN_MANIFEST",
      /entry/,
    ],
    ["text", "yes", "OJ_PLUGIN_MANIFEST", /must be an object/],
    ["null", null, "OJ_PLUGIN_MANIFEST", /must be an object/],
    ["a list", [], "OJ_PLUGIN_MANIFEST", /must be an object/],
  ])("finds an error in %s", (_name, openjarvis, code, message) => {
    expect(parse(openjarvis).problems).toContainEqual({
      level: "error",
      code,
      message: expect.stringMatching(message),
    });
  });

  it("never throws, and accepts nothing but a whole number, lists of names and inside paths", () => {
    const field = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom<unknown>(1, {}, { tools: ["a"] }, ["a"], "./a.js"),
    );
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom("apiVersion", "provides", "env", "entry", "x"), field),
        (openjarvis) => {
          const { manifest, problems } = parse(openjarvis);
          if (problems.some(({ level }) => level === "error")) return;
          expect(manifest.apiVersion).toBe(1);
          for (const names of Object.values(manifest.provides)) {
            for (const name of names) expect(name).toEqual(expect.stringMatching(/./s));
          }
          if (manifest.entry !== undefined) expect(manifest.entry.startsWith("./")).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});
