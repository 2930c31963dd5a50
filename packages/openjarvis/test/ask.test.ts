import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { outcomeOf, TestHome } from "./helpers/jarvis.js";

let home: TestHome;
beforeAll(() => {
  home = new TestHome(["engine-echo", "tool-danger"]);
});
afterAll(() => home.remove());

const echo = ["ask", "--engine", "echo", "--agent", "orchestrator"];

describe("jarvis ask", () => {
  it("answers with the rules where there is no model: the answer on stdout, the rest on stderr", async () => {
    const args = ["ask", "--agent", "orchestrator", "--tools", "calculator", "What is 15% of 340?"];
    const { code, stdout, stderr } = await home.run(args);
    expect(stdout).toMatch(/^.*51.*\n$/);
    expect(stderr).toMatch(/^engine: rules \(.*no engine was named.*\)\n$/);
    expect(code).toBe(0);
  });

  it("joins the words of a question", async () => {
    expect((await home.run([...echo, "one", "two"])).stdout).toBe("user: one two\n");
  });

  it("takes the question from standard input when none is typed", async () => {
    expect((await home.run(echo, { input: "from a pipe\n" })).stdout).toBe("user: from a pipe\n");
  });

  it("adds standard input to a typed question after a blank line", async () => {
    const { stdout } = await home.run([...echo, "sum this up:"], { input: "line 1\nline 2\n" });
    expect(stdout).toBe("user: sum this up:\n\nline 1\nline 2\n");
  });

  it("waits for standard input where a dash asks for it", async () => {
    const child = home.start([...echo, "sum this up:", "-"]);
    const outcome = outcomeOf(child);
    setTimeout(() => child.stdin.end("late text"), 1_000);
    expect((await outcome).stdout).toBe("user: sum this up:\n\nlate text\n");
  });

  it("does not wait for a program that holds standard input open", async () => {
    const child = home.start([...echo, "hello"]);
    const { code, stdout } = await outcomeOf(child);
    expect(stdout).toBe("user: hello\n");
    expect(code).toBe(0);
  });

  it("passes every setting on", async () => {
    const { stdout } = await home.run([
      ...echo,
      "--system",
      "Be brief.",
      "-m",
      "echo-9",
      "-t",
      "0.2",
      "--max-tokens",
      "7",
      "--json",
      "hi",
    ]);
    const result = JSON.parse(stdout) as Record<string, unknown>;
    expect(result).toMatchObject({
      content: "system: Be brief.\nuser: hi",
      engine: "echo",
      agent: "orchestrator",
    });
  });

  it("gives the agent the named tools, and none for an empty list", async () => {
    expect((await home.run([...echo, "--tools", "calculator,,think", "tools"])).stdout).toBe(
      "calculator,think\n",
    );
    expect((await home.run([...echo, "--tools", "calculator", "--tools", "think", "tools"])).stdout).toBe(
      "calculator,think\n",
    );
    expect((await home.run([...echo, "--tools", "", "tools"])).stdout).toBe("none\n");
  });

  it("passes a mode to the agent, which refuses one it does not have", async () => {
    const { code, stderr } = await home.run([...echo, "--mode", "nonsense", "hi"]);
    expect(stderr).toContain("nonsense");
    expect(code).toBe(2);
  });

  it("sends images along", async () => {
    const png = join(home.cwd, "dot.png");
    writeFileSync(png, Buffer.from("89504e470d0a1a0a0000", "hex"));
    const { stdout } = await home.run([...echo, "-i", png, "-i", "dot.png", "what is this?"]);
    expect(stdout).toContain("[2 images]");
  });

  it("prints one JSON object with the documented fields", async () => {
    const args = ["ask", "--agent", "orchestrator", "--tools", "calculator", "--json", "What is sqrt(256)?"];
    const { code, stdout } = await home.run(args);
    expect(JSON.parse(stdout)).toMatchObject({
      content: expect.stringContaining("16"),
      turns: 2,
      tool_results: [{ tool_name: "calculator", content: "16.0", success: true }],
      engine: "rules",
      stop_reason: "final",
    });
    expect(code).toBe(0);
  });

  it("reads another configuration with --config", async () => {
    const config = home.write(
      "other.toml",
      '[engine]\ndefault = "echo"\n\n[agent]\ndefault_agent = "orchestrator"\n',
    );
    const { stdout, stderr } = await home.run(["ask", "--config", config, "hello"]);
    expect(stdout).toBe("user: hello\n");
    expect(stderr).toMatch(/^engine: echo /);
  });

  it("shows what happens with --verbose, on stderr alone", async () => {
    const args = ["--verbose", "ask", "--agent", "orchestrator", "--tools", "calculator", "What is 2+2?"];
    const { stdout, stderr } = await home.run(args);
    expect(stdout).toMatch(/^.*4\n$/);
    expect(stderr).toMatch(/agent {2}orchestrator starts/);
    expect(stderr).toMatch(/tool {3}calculator \{"expression":"2 \+ 2"\}/);
    expect(stderr).toMatch(/tool {3}calculator ok .*: 4/);
    expect(stderr).toMatch(/model {2}rules rules .* tokens/);
    expect(stderr).toMatch(/agent {2}orchestrator ends after 2 turns: final/);
  });

  it("passes control characters on to a pipe, and never to stderr", async () => {
    const esc = String.fromCharCode(27);
    expect((await home.run([...echo, "escape"])).stdout).toContain(`${esc}[31m`);
    const verbose = await home.run([...echo, "--verbose", `call danger {"text":"a${esc}[31m"}`]);
    expect(verbose.stderr).not.toContain(esc);
  });
});

describe("a tool that must be allowed", () => {
  const call = [...echo, "--tools", "danger", 'call danger {"text":"fire"}'];

  it("is not run when there is nobody to ask; the model is told, and so is the person", async () => {
    const { code, stdout, stderr } = await home.run(call);
    expect(stdout).toMatch(/tool said: .*was not run/);
    expect(stderr).toMatch(/"danger" was not run.*--yes/);
    expect(code).toBe(0);
  });

  it("is run with --yes", async () => {
    const { stdout, stderr } = await home.run([...call, "--yes"]);
    expect(stdout).toBe("tool said: done with fire\n");
    expect(stderr).not.toContain("--yes");
  });
});

describe("the output of jarvis ask", () => {
  it("is complete however long it is", async () => {
    const { code, stdout } = await home.run([...echo, "big 5000000"]);
    expect(stdout.length).toBe(5_000_001);
    expect(code).toBe(0);
  });

  it("may be cut off by its reader, quietly", async () => {
    const child = home.start([...echo, "big 1000000"]);
    child.stdin.end();
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.stdout.once("data", () => child.stdout.destroy());
    const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
    expect(stderr).toMatch(/^engine: .*\n$/);
    expect(code).toBe(0);
  });

  it("needs no reader of stderr", async () => {
    const child = home.start([...echo, "hello"]);
    child.stdin.end();
    child.stderr.destroy();
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
    expect(stdout).toBe("user: hello\n");
    expect(code).toBe(0);
  });
});
