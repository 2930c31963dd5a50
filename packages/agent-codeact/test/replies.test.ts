import { defineTool } from "@openjarvis/core";
import { describe, expect, it } from "vitest";
import { add, block, outcomes, setup, told } from "./setup.js";

describe("a reply", () => {
  it("without code or calls is the answer", async () => {
    const { agent, engine } = setup(["Here is the result: 4"]);
    const result = await agent.run("2+2?");
    expect(result).toMatchObject({ content: "Here is the result: 4", turns: 1, toolResults: [] });
    engine.assertDone();
  });

  it.each([
    [
      "a prose fence before the program",
      'Plan:\n```\nnot code at all\n```\nCode:\n```python\nprint("ok")\n```',
      'print("ok")',
    ],
    ["an upper-case language", block("print('ok')", "Python"), "print('ok')"],
    ["tildes", "~~~python\nprint('ok')\n~~~", "print('ok')"],
    ["four backticks", "````python\nprint('ok')\n````", "print('ok')"],
    ["a code element", "<code>print('ok')</code>", "print('ok')"],
    ["carriage returns", "```python\r\nprint('ok')\r\n```", "print('ok')"],
  ])("with %s runs the program alone", async (_what, reply, code) => {
    const { agent, engine, interpreter } = setup([reply, "done"]);
    await agent.run("go");
    expect(interpreter.cells).toEqual([code]);
    expect(told(engine)).toBe("Output:\nok");
  });

  it("with a program in bare text is an answer", async () => {
    const { agent, interpreter } = setup(["print(1)"]);
    expect((await agent.run("go")).content).toBe("print(1)");
    expect(interpreter.cells).toEqual([]);
  });

  it("that was cut in its program is not run but asked for again", async () => {
    const { agent, engine, interpreter } = setup([
      { text: '```python\nprint("half ', finishReason: "length" },
      "done",
    ]);
    const result = await agent.run("go");
    expect(interpreter.cells).toEqual([]);
    expect(told(engine)).toMatch(/cut off/);
    expect(result.content).toBe("done");
  });

  it("with an Action calls the tool, and what it makes up is dropped", async () => {
    const { agent, engine } = setup([
      'Action: add\nAction Input: {"a": 2, "b": 2}\nObservation: 5\nIt is 5.',
      "4",
    ]);
    const result = await agent.run("2+2?");
    expect(outcomes(result)).toEqual(["add:4"]);
    expect(told(engine)).toBe("Observation: 4");
    expect(engine.messagesOf(-1).at(-2)?.content).not.toContain("5.");
  });

  it.each([
    '<tool_call>{"name":"add","arguments":{"a":1,"b":1}}</tool_call>',
    "<tool_call>add\n$a=1\n$b=1</tool_call>",
  ])("with %j calls the tool", async (reply) => {
    const { agent } = setup([reply, "2"]);
    expect(outcomes(await agent.run("1+1?"))).toEqual(["add:2"]);
  });

  it("with a native call and no text calls the tool", async () => {
    const { agent } = setup([{ toolCalls: [{ name: "add", arguments: '{"a":2,"b":2}' }] }, "4"]);
    const result = await agent.run("2+2?");
    expect(outcomes(result)).toEqual(["add:4"]);
    expect(result).toMatchObject({ content: "4", turns: 2 });
  });

  it("with a program is the answer where nothing runs code", async () => {
    const reply = `Here you are:\n${block("print(1)")}`;
    const { agent } = setup([reply], { tools: [add] });
    expect(await agent.run("Write a program")).toMatchObject({ content: reply, turns: 1, toolResults: [] });
  });

  it("with a program is the answer in a run that may not use the interpreter", async () => {
    const { agent, interpreter } = setup([block("print(1)")]);
    const result = await agent.run("Write a program", { tools: ["add"] });
    expect(result.content).toBe(block("print(1)"));
    expect(interpreter.cells).toEqual([]);
  });

  it("runs by a code interpreter of another make, one program at a time", async () => {
    const plain = defineTool({
      name: "code_interpreter",
      description: "Runs Python.",
      parameters: {
        type: "object",
        properties: { code: { type: "string", description: "Code" } },
        required: ["code"],
      } as const,
      run: ({ code }) => `ran ${code}`,
    });
    const { agent, engine } = setup([block("print(1)"), "done"], { tools: [plain] });
    await agent.run("go");
    expect(told(engine)).toBe("Output:\nran print(1)");
    expect(engine.messagesOf(0)[0]?.content).toContain("no variables are kept");
  });
});
