import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { repository } from "../structure/packages.js";
import { type HermeticHome, hermeticHome } from "./jarvis-command.js";

/** The examples, run by the commands their READMEs give; they were built with everything else. */

const run = promisify(execFile);
let home: HermeticHome;
beforeAll(() => {
  home = hermeticHome();
});
afterAll(() => home.remove());

function example(
  folder: string,
  program: string,
  ...args: string[]
): Promise<{ stdout: string; stderr: string }> {
  const cwd = join(repository, "examples", folder);
  return run(process.execPath, [program, ...args], { cwd, env: home.env, timeout: 30_000 });
}

describe("examples/distribution", () => {
  it("answers under its own name with its own plugins", async () => {
    const { stdout } = await example(
      "distribution",
      "desk.js",
      "ask",
      "--agent",
      "orchestrator",
      "--tools",
      "calculator",
      "What is 15% of 340?",
    );
    expect(stdout).toContain("51");
  });

  it("lists the tool of the third-party package, and nothing it did not choose", async () => {
    const { stdout } = await example("distribution", "desk.js", "tool", "list", "--json");
    const names = (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name);
    expect(names.sort()).toEqual(["calculator", "count_words"]);
  });

  it("shows its own name in its help", async () => {
    expect((await example("distribution", "desk.js", "--help")).stdout).toContain("desk");
  });
});

describe("examples/sdk-use", () => {
  it.each([
    ["ask.js", /51/],
    ["ask-full.js", /153\.938|12/],
    ["stream.js", /\S/],
    ["events.js", /TOOL_CALL_END|calculator/],
    ["own-tool.js", /\S/],
  ])("%s runs on the rules engine", async (program, expected) => {
    const { stdout } = await example("sdk-use", join("dist", program));
    expect(stdout).toMatch(expected);
  });
});

describe("examples/tool-package", () => {
  it("passes its own tests", async () => {
    const vitest = join(repository, "node_modules", "vitest", "vitest.mjs");
    const { stdout } = await example("tool-package", vitest, "run", "--root", ".");
    expect(stdout).toMatch(/Tests\s+.*passed/);
  });
});
