import { describe, expect, it } from "vitest";
import { block, outcomes, setup, TestInterpreter, told } from "./setup.js";

describe("a program", () => {
  it("runs, and its output goes back to the model as the last message", async () => {
    const { agent, engine, interpreter } = setup([
      `Sure!\n${block("print(6*7)")}\nThis prints 41.`,
      "It is 42.",
    ]);
    const result = await agent.run("6*7?");
    expect(result.content).toBe("It is 42.");
    expect(result.turns).toBe(2);
    expect(engine.messagesOf(1).at(-1)).toEqual({ role: "user", content: "Output:\n42" });
    expect(engine.messagesOf(1).at(-2)?.content).not.toContain("41");
    expect(outcomes(result)).toEqual(["code_interpreter:42"]);
    expect(interpreter.open).toBe(0);
  });

  it("shows the value of its last expression, and says when there is no output", async () => {
    const { agent, engine } = setup([block("print('a')\n1 + 1"), block("if (true) {}"), "done"]);
    await agent.run("go");
    expect(told(engine, 1)).toBe("Output:\na\n2");
    expect(told(engine, 2)).toBe("Output:\n(no output)");
  });

  it("finds the variables of the programs before it, and another run does not", async () => {
    const script = [block("x = 20"), block("x + 22"), "done"];
    const { agent, engine, interpreter } = setup([...script, block("typeof x"), "done"]);
    await agent.run("go");
    expect(told(engine, 2)).toBe("Output:\n42");
    await agent.run("again");
    expect(told(engine)).toBe("Output:\n'undefined'");
    expect(interpreter.sessions).toHaveLength(2);
    expect(interpreter.open).toBe(0);
  });

  it("that fails sends its traceback and its output to the model", async () => {
    const { agent, engine } = setup([block("print('before')\nmissing + 1"), "sorry"]);
    const result = await agent.run("go");
    expect(told(engine)).toContain("before\nTraceback:");
    expect(told(engine)).toContain("ReferenceError: missing is not defined");
    expect(outcomes(result)).toEqual(["code_interpreter!OJ_TOOL_FAILED"]);
  });

  it("that runs out of time leaves a run that goes on", async () => {
    const interpreter = new TestInterpreter(["python"], 50);
    const { agent, engine } = setup([block("print('a')\nawait forever()"), "gave up"], { interpreter });
    const result = await agent.run("go");
    expect(told(engine)).toMatch(/^Output:\na\n.*timed out/);
    expect(outcomes(result)).toEqual(["code_interpreter!OJ_TOOL_TIMEOUT"]);
    expect(result.content).toBe("gave up");
  });

  it("that loses the variables says so", async () => {
    const { agent, engine } = setup([block("x = 1"), block("crash()"), "done"]);
    await agent.run("go");
    expect(told(engine)).toContain("All variables were lost");
  });

  it("has its output cut in the middle for the model, and whole in the results", async () => {
    const { agent, engine } = setup([block("print('a' + '-'.repeat(9000) + 'z')"), "done"]);
    const result = await agent.run("go");
    expect(told(engine).length).toBeLessThan(4_100);
    expect(told(engine)).toMatch(/^Output:\na-.*left out.*-z$/s);
    expect(result.toolResults[0]?.content).toHaveLength(9_002);
  });

  it("may come in several blocks, which run in order until one fails", async () => {
    const reply = [block("x = 1"), block("x + 1"), block("nope()"), block("x = 9")].join("\nthen\n");
    const { agent, engine, interpreter } = setup([reply, "done"]);
    const result = await agent.run("go");
    expect(interpreter.cells).toEqual(["x = 1", "x + 1", "nope()"]);
    expect(told(engine)).toMatch(/^Output of program 1 of 4:\n1\n/);
    expect(told(engine)).toContain("Output of program 2 of 4:\n2");
    expect(told(engine)).toContain("the programs after it were not run");
    expect(result.toolResults).toHaveLength(3);
  });

  it("ends the run by final_answer, and does not go on after it", async () => {
    const { agent, engine, interpreter, events } = setup([block("await final_answer('42')\nprint('after')")]);
    const result = await agent.run("go");
    expect(result.content).toBe("42");
    expect(result.metadata.stopReason).toBe("final");
    expect(outcomes(result)).toEqual(["code_interpreter:(no output)"]);
    expect(interpreter.open).toBe(0);
    expect(events.of("TOOL_CALL_END")).toHaveLength(1);
    engine.assertDone();
  });

  it.each([
    ["a number", "42", "42"],
    ["a list", "[1, 'a']", '[1,"a"]'],
    ["a keyword", "{ answer: 'yes' }", "yes"],
  ])("gives %s as the final answer", async (_what, value, text) => {
    const { agent } = setup([block(`await final_answer(${value})`)]);
    expect((await agent.run("go")).content).toBe(text);
  });

  it("runs in the language of its block", async () => {
    const interpreter = new TestInterpreter(["python", "javascript"]);
    const { agent } = setup([`${block("1", "py")}\n${block("2", "js")}`, "done"], { interpreter });
    await agent.run("go");
    expect(interpreter.sandboxes.get("python")?.sessions[0]?.cells).toEqual(["1"]);
    expect(interpreter.sandboxes.get("javascript")?.sessions[0]?.cells).toEqual(["2"]);
    expect(interpreter.open).toBe(0);
  });

  it("shares the session with calls of the interpreter that come natively or as lines", async () => {
    const { agent, engine } = setup(
      [
        block("x = 40"),
        { toolCalls: [{ name: "code_interpreter", arguments: '{"code":"x += 1"}' }] },
        'Action: code_interpreter\nAction Input: {"code": "x + 1"}',
        "done",
      ],
      { maxTurns: 5 },
    );
    const result = await agent.run("go");
    expect(outcomes(result)).toEqual(["code_interpreter:40", "code_interpreter:41", "code_interpreter:42"]);
    expect(told(engine)).toBe("Observation: 42");
  });

  it("is not run again and again when it repeats itself", async () => {
    const { agent, interpreter, engine } = setup(
      () => (engine.callCount > 8 ? "stopped" : block("print('same')")),
      { maxTurns: 20 },
    );
    const result = await agent.run("go");
    expect(result.metadata.stopReason).toBe("loop_guard");
    expect(interpreter.cells).toHaveLength(4);
  });
});

describe("a run without end", () => {
  it("stops at three turns by default", async () => {
    let turn = 0;
    const { agent, interpreter } = setup(() => {
      turn += 1;
      return turn > 3 ? "Still working" : block(`print(${turn})`);
    });
    const result = await agent.run("go");
    expect(result.metadata).toMatchObject({ maxTurnsExceeded: true, stopReason: "max_turns" });
    expect(result.content).toContain("Still working");
    expect(interpreter.cells).toHaveLength(3);
    expect(interpreter.open).toBe(0);
  });
});
