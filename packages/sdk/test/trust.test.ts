import { readFile, stat, symlink } from "node:fs/promises";
import { type TempDir, tempDir } from "@openjarvis/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isTrusted, listTrusted, trustProject, untrustProject } from "../src/index.js";

let dir: TempDir;
let home: string;

beforeEach(async () => {
  dir = await tempDir();
  home = dir.join("home");
  await dir.write("project/package.json", "{}");
});

afterEach(() => dir.remove());

describe("trusting projects", () => {
  it("notes real paths in a private file of the home, each once", async () => {
    expect(listTrusted(home)).toEqual([]);
    await symlink(dir.join("project"), dir.join("link"));
    expect(trustProject(home, dir.join("link"))).toBe(dir.join("project"));
    trustProject(home, dir.join("project"));
    expect(listTrusted(home)).toEqual([dir.join("project")]);
    expect(isTrusted(home, dir.join("link"))).toBe(true);
    expect(isTrusted(home, dir.path)).toBe(false);
    const file = dir.join("home/trusted-projects.json");
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ version: 1, projects: [dir.join("project")] });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(home)).mode & 0o777).toBe(0o700);
  });

  it("follows a project that is a link to somewhere else: trust stays with what was trusted", async () => {
    await dir.write("other/package.json", "{}");
    trustProject(home, dir.join("project"));
    expect(isTrusted(home, dir.join("other"))).toBe(false);
    expect(untrustProject(home, dir.join("other"))).toBe(false);
    expect(untrustProject(home, dir.join("project"))).toBe(true);
    expect(listTrusted(home)).toEqual([]);
  });

  it("fails closed on a damaged list", async () => {
    for (const text of ["", "{", "[]", "null", '{"projects":[1]}', "\u0000"]) {
      await dir.write("home/trusted-projects.json", text);
      expect(() => listTrusted(home), text).toThrow("trusted-projects.json cannot be used");
      expect(() => trustProject(home, dir.path), text).toThrow("trusted-projects.json cannot be used");
    }
  });

  it("is an OJ_HOME error when the home is a file", async () => {
    const blocked = await dir.write("blocked", "");
    expect(() => trustProject(blocked, dir.path)).toThrow(expect.objectContaining({ code: "OJ_HOME" }));
  });
});
