import { readFileSync } from "node:fs";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packages } from "../structure/packages.js";
import { packAll, workspace } from "./tarballs.js";

const space = workspace();
let tarballs = new Map<string, string>();

beforeAll(async () => {
  tarballs = await packAll(space.path("tarballs"));
});

afterAll(() => space.remove());

/** What ESM-only packages cannot and need not do: be required by old resolvers and by CommonJS. */
const esmOnly = new Set(["CJSResolvesToESM"]);

describe.each(packages.map(({ json }) => json.name))("the tarball of %s", (name) => {
  it("is as registries and bundlers want it", async () => {
    const data = readFileSync(tarballs.get(name) ?? "");
    const tarball = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  it("has types that every modern resolver finds", async () => {
    const result = await checkPackage(createPackageFromTarballData(readFileSync(tarballs.get(name) ?? "")));
    if (!result.types) throw new Error(`${name} has no types`);
    const problems = result.problems.filter((problem) => {
      if (esmOnly.has(problem.kind)) return false;
      return !("resolutionKind" in problem && problem.resolutionKind === "node10");
    });
    expect(problems).toEqual([]);
  });
});
