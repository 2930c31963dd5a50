import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { outcomeOf, TestHome } from "./helpers/jarvis.js";

let home: TestHome;
beforeAll(() => {
  home = new TestHome(["engine-echo"]);
});
afterAll(() => home.remove());

const echo = ["ask", "--engine", "echo", "--agent", "orchestrator"];

/** A command line that fails, what it ends with, and what it says. */
const failures: readonly [what: string, args: readonly string[], code: number, message: RegExp][] = [
  [
    "a question no engine can answer",
    ["ask", "--agent", "simple", "Who wrote Middlemarch?"],
    1,
    /OJ_ENGINE_CANNOT_ANSWER/,
  ],
  [
    "an unknown agent",
    [...echo.slice(0, 3), "--agent", "orchestator", "hi"],
    1,
    /OJ_AGENT_NOT_FOUND.*\n.*orchestrator/,
  ],
  ["an unknown tool", [...echo, "--tools", "calculater", "hi"], 1, /OJ_TOOL_NOT_FOUND.*\n.*calculator/],
  [
    "a tool that is not installed",
    [...echo, "--tools", "web_search", "hi"],
    1,
    /OJ_TOOL_NOT_INSTALLED.*\n.*plugins add @openjarvis\/tool-web-search/,
  ],
  ["an unknown engine", ["ask", "--engine", "ecco", "hi"], 1, /OJ_ENGINE_NOT_FOUND/],
  [
    "an engine that does not answer",
    ["ask", "--engine", "ollama", "hi"],
    1,
    /OJ_ENGINE_UNREACHABLE.*127\.0\.0\.1:9/,
  ],
  ["an engine that fails", [...echo, "unreachable"], 1, /OJ_ENGINE_UNREACHABLE {2}Nobody answers/],
  ["a defect", [...echo, "fail"], 1, /the engine broke/],
  ["a defect in a callback", [...echo, "crash"], 1, /OJ_INTERNAL {2}a callback broke/],
  [
    "an engine that waits for nothing",
    [...echo, "hang"],
    1,
    /OJ_INTERNAL {2}the program waits for something/,
  ],
  ["no answer", ["ask", "--engine", "echo", "--agent", "simple", "empty"], 1, /no answer/],
  [
    "turns that are used up",
    [...echo, "--tools", "calculator", "--max-turns", "1", 'call calculator {"expression":"1+1"}'],
    1,
    /used up its turns/,
  ],
  ["a missing question", ["ask"], 2, /OJ_USAGE.*question is missing/],
  ["an empty question", ["ask", "  "], 2, /OJ_USAGE.*question is missing/],
  ["an unknown flag", ["ask", "--tool", "x", "hi"], 2, /OJ_USAGE.*"--tool".*--tools/],
  ["an unknown command", ["aks", "hi"], 2, /OJ_USAGE.*"aks".*ask/],
  ["a missing subcommand", ["tool"], 2, /OJ_USAGE.*subcommand is missing/],
  ["an unknown subcommand", ["tool", "lst"], 2, /OJ_USAGE.*"lst".*list/],
  ["a missing argument", ["tool", "inspect"], 2, /OJ_USAGE.*"name"/],
  ["a flag without its value", ["ask", "hi", "--agent"], 2, /OJ_USAGE.*--agent/],
  ["a temperature that is no number", ["ask", "-t", "hot", "hi"], 2, /OJ_USAGE.*temperature.*0 to 2/],
  ["a temperature out of range", ["ask", "-t", "3", "hi"], 2, /OJ_USAGE.*0 to 2/],
  ["turns that are not whole", ["ask", "--max-turns", "1.5", "hi"], 2, /OJ_USAGE.*whole number/],
  ["no tokens", ["ask", "--max-tokens", "0", "hi"], 2, /OJ_USAGE.*at least 1/],
  ["an image that is not there", ["ask", "-i", "no.png", "hi"], 2, /OJ_USAGE.*no\.png/],
  ["a configuration that is not there", ["ask", "--config", "no.toml", "hi"], 2, /no\.toml/],
];

describe.each(failures)("%s", (_what, args, expected, message) => {
  it(`ends with ${expected}, one message and no stack`, async () => {
    const { code, stderr } = await home.run(args);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^\s+at .*:\d+/m);
    expect(code).toBe(expected);
  });
});

describe("with --json", () => {
  it.each(failures.filter(([, args]) => args[0] === "ask"))(
    "%s leaves one JSON object on stdout",
    async (_what, args, expected) => {
      const json =
        args[args.length - 1] === "--agent" ? ["ask", "--json", "hi", "--agent"] : [...args, "--json"];
      const { code, stdout } = await home.run(json);
      const result = JSON.parse(stdout) as {
        error?: { code: string; message: string; hint: string };
        stop_reason?: string;
      };
      if (result.error === undefined) expect(result.stop_reason).not.toBe("final");
      else
        expect(result.error).toMatchObject({
          code: expect.stringMatching(/^OJ_/),
          message: expect.any(String),
        });
      expect(code).toBe(expected);
    },
  );
});

describe("the stack of an error", () => {
  it.each([
    ["--verbose", ["--verbose", ...echo, "fail"], {}],
    ["OPENJARVIS_DEBUG", [...echo, "fail"], { OPENJARVIS_DEBUG: "1" }],
  ])("is shown with %s", async (_how, args, env) => {
    expect((await home.run(args, { env })).stderr).toMatch(/^\s+at .*engine-echo/m);
  });
});

describe("a configuration with a mistake", () => {
  it("is refused with file, line and the right name", async () => {
    const other = new TestHome();
    other.write("home/config.toml", "[intelligence]\ntemprature = 0.5\n");
    const { code, stderr } = await other.run(["ask", "hi"]);
    expect(stderr).toMatch(/OJ_CONFIG_KEY.*config\.toml:2.*temprature/);
    expect(stderr).toContain("temperature");
    expect(code).toBe(1);
    other.remove();
  });
});

describe("signals", () => {
  /** Starts a question that is never answered, and waits until the engine works on it. */
  async function startSlow(question = "slow") {
    const child = home.start(["--verbose", ...echo, question]);
    child.stdin.end();
    const outcome = outcomeOf(child);
    await new Promise<void>((resolve) => {
      child.stderr.on("data", (text: string) => {
        if (text.includes("gets 1 message")) resolve();
      });
    });
    return { child, outcome };
  }

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("%s cancels the run in order and ends with %d", async (signal, expected) => {
    const { child, outcome } = await startSlow();
    child.kill(signal);
    const { code, stdout, stderr } = await outcome;
    expect(stderr).toMatch(/agent {2}orchestrator ends .*aborted/);
    expect(stderr).toContain("cancelled");
    expect(stdout).toBe("");
    expect(code).toBe(expected);
  });

  it("a second Ctrl-C ends at once what does not listen to the first", async () => {
    const { child, outcome } = await startSlow("stuck");
    child.kill("SIGINT");
    await new Promise((resolve) => setTimeout(resolve, 200));
    child.kill("SIGINT");
    expect((await outcome).code).toBe(130);
  });

  it("a run that does not listen ends by itself after a while", async () => {
    const { child, outcome } = await startSlow("stuck");
    child.kill("SIGTERM");
    expect((await outcome).code).toBe(143);
  });
});
