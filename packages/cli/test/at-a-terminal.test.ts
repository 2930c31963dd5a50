import "@openjarvis/agent-orchestrator";
import "@openjarvis/agent-simple";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCli } from "../src/index.js";
import { fakeIo } from "./helpers/fake-io.js";
import "./helpers/test-engine.js";

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "openjarvis-cli-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const cli = createCli({ root: import.meta.url, version: "9.9.9" });

function start(args: readonly string[], { tty = true, columns = 80 } = {}) {
  const fake = fakeIo({
    tty,
    columns,
    cwd: dir,
    env: { OPENJARVIS_HOME: join(dir, "home"), OLLAMA_HOST: "http://127.0.0.1:9", NO_COLOR: "1" },
  });
  return { ...fake, done: cli.run(args, fake.io) };
}

const ask = ["ask", "--engine", "test", "--agent", "orchestrator"];
const chat = ["chat", "--engine", "test", "--agent", "orchestrator"];

describe("ask at a terminal", () => {
  it("shows the answer once, as it arrives", async () => {
    const run = start([...ask, "one two three"]);
    expect(await run.done).toBe(0);
    expect(run.stdout()).toBe("one two three\n");
  });

  it("shows a part of the answer before the whole is there", async () => {
    const run = start([...ask, "slow"]);
    await run.seen("working ");
    run.signals.emit("SIGINT");
    expect(await run.done).toBe(130);
    expect(run.stdout()).toBe("working \n");
    expect(run.stderr()).toContain("cancelled");
  });

  it("shows nothing before the whole is there with --no-stream", async () => {
    const run = start([...ask, "--no-stream", "slow"]);
    await run.seen("engine: test");
    run.signals.emit("SIGINT");
    expect(await run.done).toBe(130);
    expect(run.stdout()).toBe("");
  });

  it("removes what the terminal would act on, also across pieces", async () => {
    const run = start([...ask, "escape"]);
    await run.done;
    expect(run.stdout()).toBe("abc\n");
  });

  it("puts the answer below what the model wrote when that is not the answer", async () => {
    const run = start(["ask", "--engine", "test", "--agent", "editing", "Final Answer: 42"]);
    expect(await run.done).toBe(0);
    expect(run.stdout()).toBe("Final Answer: 42\n42\n");
  });

  it("puts the answer below what the model said before it called a tool", async () => {
    const run = start([...ask, "--yes", "--tools", "guarded", 'call {"text":"x"}']);
    expect(await run.done).toBe(0);
    expect(run.stdout()).toBe("Let me see.\ntool said: done with x\n");
  });
});

describe("a tool that must be allowed, at a terminal", () => {
  it.each([
    ["y", "done with x"],
    ["YES", "done with x"],
    ["n", "not run: denied by user"],
    ["", "not run: denied by user"],
    ["yup", "not run: denied by user"],
  ])("answered with %j", async (typed, said) => {
    const run = start([...ask, "--tools", "guarded", 'call {"text":"x"}']);
    await run.seen('Run tool "guarded" with {"text":"x"}? [y/N] ');
    run.stdin.write(`${typed}\n`);
    expect(await run.done).toBe(0);
    expect(run.stdout()).toContain(said);
  });

  it("is refused when the input ends", async () => {
    const run = start([...ask, "--tools", "guarded", 'call {"text":"x"}']);
    await run.seen("[y/N]");
    run.stdin.end();
    expect(await run.done).toBe(0);
    expect(run.stdout()).toContain("not run");
  });

  it("shows arguments without anything that hides or moves text", async () => {
    const args = JSON.stringify({ text: "safe\u202etxt.exe\u001b[2K\r" });
    const run = start([...ask, "--tools", "guarded", `call ${args}`]);
    await run.seen("[y/N]");
    run.stdin.write("n\n");
    await run.done;
    expect(run.stderr()).toContain("safe\\u{202e}txt.exe\\u001b[2K\\r");
  });

  it("shows long arguments in part, and whole on request", async () => {
    const long = `${"a".repeat(2_000)}MIDDLE${"b".repeat(2_000)}`;
    const run = start([...ask, "--tools", "guarded", `call ${JSON.stringify({ text: long })}`]);
    await run.seen("[y/N, v shows all]");
    expect(run.stderr()).not.toContain("MIDDLE");
    run.stdin.write("v\n");
    await run.seen("MIDDLE");
    run.stdin.write("n\n");
    expect(await run.done).toBe(0);
  });

  it("is cancelled together with the run", async () => {
    const run = start([...ask, "--tools", "guarded", 'call {"text":"x"}']);
    await run.seen("[y/N]");
    run.signals.emit("SIGINT");
    expect(await run.done).toBe(130);
  });
});

describe("chat at a terminal", () => {
  it("keeps what was said, and ends with Ctrl-D", async () => {
    const run = start(chat);
    await run.seen("/help shows the commands");
    run.stdin.write("hello\n");
    await run.seen(/hello\n.*> /s);
    run.stdin.write("said\n");
    await run.seen("user:hello | assistant:hello | user:said");
    run.stdin.end();
    expect(await run.done).toBe(0);
  });

  it("cancels an answer with Ctrl-C, forgets it, and goes on", async () => {
    const run = start(chat);
    await run.seen("> ");
    run.stdin.write("slow\n");
    await run.seen("working ");
    run.signals.emit("SIGINT");
    await run.seen("cancelled");
    run.stdin.write("said\n");
    await run.seen("user:said\n");
    expect(run.stdout()).not.toContain("user:slow");
    run.stdin.write("/quit\n");
    expect(await run.done).toBe(0);
  });

  it("says what failed and goes on without it", async () => {
    const run = start(chat);
    await run.seen("> ");
    run.stdin.write("fail\n");
    await run.seen("the engine broke");
    run.stdin.write("said\n");
    await run.seen("user:said\n");
    expect(run.stdout()).not.toContain("user:fail");
    run.stdin.write("/quit\n");
    expect(await run.done).toBe(0);
  });

  it("asks before a guarded tool, and takes only an answer typed after the question", async () => {
    const run = start([...chat, "--tools", "guarded"]);
    await run.seen("> ");
    // The second line is there before the question is: it is the next question, not a yes.
    run.stdin.write('call {"text":"x"}\ny\n');
    await run.seen("[y/N]");
    run.stdin.write("n\n");
    await run.seen("not run: denied by user");
    await run.seen(/^y$/m);
    run.stdin.write("/quit\n");
    expect(await run.done).toBe(0);
  });

  it("can be left although an engine listens to nothing", async () => {
    const run = start(chat);
    await run.seen("> ");
    run.stdin.write("stuck\n");
    await run.seen("working ");
    for (let count = 0; count < 3; count += 1) run.signals.emit("SIGINT");
    expect(run.exits).toEqual([130]);
  });

  it("ends when the program is told to", async () => {
    const run = start(chat);
    await run.seen("> ");
    run.signals.emit("SIGTERM");
    expect(await run.done).toBe(143);
  });
});

describe("chat through a pipe", () => {
  async function talk(lines: readonly string[], args: readonly string[] = chat) {
    const run = start(args, { tty: false });
    run.stdin.end(lines.map((line) => `${line}\n`).join(""));
    const code = await run.done;
    return { code, stdout: run.stdout(), stderr: run.stderr() };
  }

  it("answers each line in turn, and prints answers alone to stdout", async () => {
    const { code, stdout, stderr } = await talk(["one", "", "said"]);
    expect(stdout).toBe("one\nuser:one | assistant:one | user:said\n");
    expect(stderr).not.toContain(">");
    expect(code).toBe(0);
  });

  it("ends with 1 when a line was not answered", async () => {
    expect((await talk(["fail", "one"])).code).toBe(1);
  });

  it("loses no line of a long pipe", async () => {
    const lines = Array.from({ length: 2_500 }, (_, index) => `/model m${index}`);
    const { code, stderr } = await talk([...lines, "end"]);
    expect(stderr.match(/^model: m\d+$/gm)).toHaveLength(2_500);
    expect(code).toBe(0);
  });

  it("has commands", async () => {
    const file = join(dir, "talk.md");
    const { code, stderr } = await talk([
      "one",
      "/help",
      "/history",
      `/save ${file}`,
      `/save ${file}`,
      "/save talk.json",
      "/save",
      "/clear",
      "/history",
      "/modle x",
      "/model x",
      "/agent nobody",
      "/tools nothing",
      "/tools -",
      "/tools",
      "/q",
      "never asked",
    ]);
    expect(stderr).toMatch(/\/help .*\n.*\/model.*\n/);
    expect(stderr).toContain("you: one\njarvis: one\n");
    expect(readFileSync(file, "utf8")).toBe("## You\n\none\n\n## Jarvis\n\none\n");
    expect(JSON.parse(readFileSync(join(dir, "talk.json"), "utf8"))).toEqual({
      messages: [
        { role: "user", content: "one" },
        { role: "assistant", content: "one" },
      ],
    });
    expect(stderr).toContain("talk.md exists already");
    expect(stderr).toContain("Name a file");
    expect(stderr).toContain("Nothing was said yet.");
    expect(stderr).toContain('There is no command /modle. Did you mean "/model"?');
    expect(stderr).toContain("model: x");
    expect(stderr).toContain('There is no agent "nobody"');
    expect(stderr).toContain('There is no tool "nothing"');
    expect(stderr).toContain("tools: none");
    expect(code).toBe(0);
  });
});
