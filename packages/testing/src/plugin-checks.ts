import assert from "node:assert/strict";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseManifest } from "@openjarvis/core";
import { type Check, type Problem, runChecks } from "./check.js";
import { type ImportReport, type ImportTarget, importInChild } from "./plugin-import.js";

/** Options of {@link pluginChecks}. */
export interface PluginCheckOptions {
  /** Milliseconds an import may take with core loaded before; the best of three counts. @default 1000 */
  importMilliseconds?: number;
  /** Seconds in which the process that imports the plugin must have ended by itself. @default 10 */
  endSeconds?: number;
}

type Json = Record<string, unknown>;

/**
 * What every plugin package must keep: its manifest is right and says what it registers, it can be found and imported by
 * an application, core is a peer of it, and importing it is quick, quiet and leaves nothing running.
 *
 * The package must be built: its entry is imported in a child process, as it will be published.
 *
 * @param packageDir the folder with the package.json, as a path or a `file:` URL
 */
export function pluginChecks(packageDir: string | URL, options: PluginCheckOptions = {}): Check[] {
  const { importMilliseconds = 1000, endSeconds = 10 } = options;
  const dir = typeof packageDir === "string" ? resolve(packageDir) : fileURLToPath(packageDir);
  const read = () => JSON.parse(readFileSync(join(dir, "package.json"), "utf8")) as Json;
  let imported: Promise<ImportReport> | undefined;
  const report = () => {
    imported ??= importInChild(targetOf(dir, read()), endSeconds);
    return imported;
  };
  const check = (name: string, body: (json: Json) => Promise<void> | void): Check => ({
    name,
    run: async () => body(read()),
  });
  return [
    check("has a manifest without problems that provides something", (json) => {
      const { manifest, problems } = parseManifest(json);
      assert.deepEqual(
        problems.map(({ message }) => message),
        [],
        "the manifest has problems",
      );
      assert.ok(
        Object.values(manifest.provides).some((ids) => ids.length > 0),
        "openjarvis.provides is empty",
      );
    }),
    check("is an ES module that any application can resolve", (json) => {
      assert.equal(json.type, "module", 'package.json needs "type": "module"');
      for (const [where, exports] of exportMaps(json)) {
        const main = record(record(exports)["."]);
        assert.equal(typeof main.default, "string", `${where}["."] needs a "default" condition`);
        assert.equal(typeof main.types, "string", `${where}["."] needs a "types" condition`);
        assert.equal(
          record(exports)["./package.json"],
          "./package.json",
          `${where} must hold "./package.json"`,
        );
      }
    }),
    check("has the files its exports name", (json) => {
      const main = record(record(json.exports)["."]);
      for (const file of [main.default, main.types]) {
        assert.ok(
          typeof file === "string" && existsSync(join(dir, file)),
          `${String(file)} is missing; build the package`,
        );
      }
    }),
    check("may not be dropped by a bundler", (json) => {
      assert.notEqual(json.sideEffects, false, '"sideEffects": false lets bundlers drop the registration');
    }),
    check("takes core as a peer", (json) => {
      assert.ok(
        "@openjarvis/core" in record(json.peerDependencies),
        "@openjarvis/core must be a peerDependency",
      );
      assert.ok(
        !("@openjarvis/core" in record(json.dependencies)),
        "@openjarvis/core must not be a dependency",
      );
    }),
    check("takes zod in a version whose schemas keep their descriptions", (json) => {
      const range = record(json.dependencies).zod ?? record(json.peerDependencies).zod;
      const version = typeof range === "string" ? /(\d+)(?:\.(\d+))?/.exec(range) : null;
      if (version === null) return;
      const [major, minor] = [Number(version[1]), Number(version[2] ?? 0)];
      assert.ok(
        major > 4 || (major === 4 && minor >= 2),
        `zod must be 4.2 or newer; the range is ${String(range)}`,
      );
    }),
    check("can be found by its keyword and says which Node it needs", (json) => {
      const { keywords, engines } = json;
      assert.ok(
        Array.isArray(keywords) && keywords.includes("openjarvis-plugin"),
        'the keyword "openjarvis-plugin" is missing',
      );
      assert.equal(typeof record(engines).node, "string", "engines.node is missing");
    }),
    check("registers exactly what its manifest provides, also when it is imported twice", async (json) => {
      const { provides } = parseManifest(json).manifest;
      assert.deepEqual(
        sorted((await report()).registered),
        sorted(provides),
        "registered and provided differ",
      );
    }),
    check("prints nothing when it is imported, and leaves nothing running", async () => {
      assert.equal((await report()).output, "");
    }),
    check("imports quickly", async (json) => {
      const times = [(await report()).milliseconds];
      while (Math.min(...times) > importMilliseconds && times.length < 3) {
        times.push((await importInChild(targetOf(dir, json), endSeconds)).milliseconds);
      }
      const best = Math.round(Math.min(...times));
      assert.ok(
        best <= importMilliseconds,
        `the import took ${best} ms; import heavy libraries in their first use`,
      );
    }),
  ];
}

/** The problems of a plugin package, without a test runner; an empty list for a plugin that keeps every check. */
export function checkPlugin(packageDir: string | URL, options: PluginCheckOptions = {}): Promise<Problem[]> {
  return runChecks(pluginChecks(packageDir, options));
}

function exportMaps(json: Json): [string, unknown][] {
  const published = record(json.publishConfig).exports;
  return [
    ["exports", json.exports],
    ...(published === undefined ? [] : [["publishConfig.exports", published] as [string, unknown]]),
  ];
}

function targetOf(dir: string, json: Json): ImportTarget {
  return { dir: realpathSync(dir), name: String(json.name), entry: parseManifest(json).manifest.entry };
}

function sorted(ids: Partial<Record<string, readonly string[]>>): Record<string, string[]> {
  const filled = Object.entries(ids).flatMap(([kind, list = []]): [string, string[]][] =>
    list.length > 0 ? [[kind, list.toSorted()]] : [],
  );
  return Object.fromEntries(filled.toSorted(([a], [b]) => a.localeCompare(b)));
}

function record(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}
