import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { TestHome } from "./helpers/jarvis.js";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};

let home: TestHome;
beforeAll(() => {
  home = new TestHome(["tool-witness"]);
});
afterEach(() => rmSync(join(home.dir, "witness"), { force: true }));
afterAll(() => home.remove());

const imported = () => existsSync(join(home.dir, "witness"));

describe("a command that only lists", () => {
  it.each([
    [["--help"]],
    [["--version"]],
    [["ask", "--help"]],
    [["plugins", "--help"]],
    [["tool", "list"]],
    [["tool", "list", "--json"]],
    [["agent", "list", "--json"]],
    [["engine", "list"]],
    [["plugins", "list"]],
    [["plugins", "list", "--json"]],
    [["config", "show"]],
    [["config", "path"]],
  ])("imports no plugin: %j", async (args) => {
    const { code, stdout, stderr } = await home.run(args);
    expect(stdout + stderr).not.toBe("");
    expect(code).toBe(0);
    expect(imported()).toBe(false);
  });

  it("is told apart from one that needs the plugin", async () => {
    const { code } = await home.run(["tool", "inspect", "witness"]);
    expect(code).toBe(0);
    expect(imported()).toBe(true);
  });
});

describe("a question", () => {
  it("imports no plugin it does not need", async () => {
    const { code } = await home.run(["ask", "--tools", "calculator", "What is 2+2?"]);
    expect(code).toBe(0);
    expect(imported()).toBe(false);
  });
});

describe("help and version", () => {
  it.each([[["--version"]], [["-V"]]])("%j prints the version", async (args) => {
    expect(await home.run(args)).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  it.each([[[]], [["--help"]], [["-h"]], [["help"]]])(
    "%j prints the overview with every command",
    async (args) => {
      const { code, stdout, stderr } = await home.run(args);
      for (const name of [
        "ask",
        "chat",
        "tool",
        "agent",
        "engine",
        "model",
        "plugins",
        "config",
        "init",
        "doctor",
      ]) {
        expect(stdout).toMatch(new RegExp(`^ {2}${name} `, "m"));
      }
      expect(stderr).toBe("");
      expect(code).toBe(0);
    },
  );

  it.each([
    ["ask", /--agent.*--tools.*--json/s],
    ["chat", /--agent.*--system/s],
    ["plugins", /list.*add.*remove.*trust.*doctor/s],
  ])("%s --help prints the command's own help", async (command, text) => {
    for (const args of [
      [command, "--help"],
      ["help", command],
    ]) {
      const { code, stdout } = await home.run(args);
      expect(stdout).toMatch(text);
      expect(code).toBe(0);
    }
  });
});
