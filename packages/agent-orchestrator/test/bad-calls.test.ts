import { setTimeout as sleep } from "node:timers/promises";
import { defineTool } from "@openjarvis/core";
import { type ScriptedToolCall, spyTool } from "@openjarvis/testing";
import { describe, expect, it } from "vitest";
import { calc, calculator, calls, outcomes, setup, think, toolMessages } from "./setup.js";

const listTasks = defineTool({
  name: "list_scheduled_tasks",
  description: "Lists tasks.",
  run: () => "none",
});
const fileRead = defineTool({
  name: "file_read",
  description: "Reads a file.",
  parameters: {
    type: "object",
    properties: {
      path: { type: "string", description: "Path" },
      max_lines: { type: "integer", description: "Lines" },
    },
    required: ["path"],
  } as const,
  run: (params) => JSON.stringify(params),
});

/** Runs one call through the orchestrator; what came of it, and what the model was told. */
async function runCall(call: ScriptedToolCall, tools = [calculator, think, listTasks, fileRead]) {
  const { agent, engine, events } = setup([calls(call), "Handled."], { tools });
  const result = await agent.run("q");
  expect(result).toMatchObject({ content: "Handled.", turns: 2, metadata: { stopReason: "final" } });
  events.assertBalanced();
  expect(events.counts).toMatchObject({ TOOL_CALL_START: 1, TOOL_CALL_END: 1 });
  engine.assertDone();
  const [outcome = ""] = outcomes(result);
  return {
    outcome,
    told: toolMessages(engine.messagesOf(1))[0]?.content ?? "",
    messages: engine.messagesOf(1),
  };
}

describe("a turn with good and bad calls", () => {
  it("answers each call under its id and in its place", async () => {
    const { agent, engine, events } = setup(
      [
        calls(
          calc("1+1", "a"),
          { name: "nope", arguments: "{}", id: "b" },
          { name: "calculator", arguments: "{bad", id: "c" },
          { name: "calculator", arguments: '{"expr":"1+1"}', id: "d" },
          { name: "calculator", arguments: '{"expression":"one"}', id: "e" },
          calc("2+2", "f"),
        ),
        "Handled.",
      ],
      { tools: [calculator] },
    );
    const result = await agent.run("q");
    expect(outcomes(result)).toEqual([
      "2",
      "!OJ_TOOL_NOT_FOUND",
      "!OJ_TOOL_ARGUMENTS",
      "!OJ_TOOL_ARGUMENTS",
      "!OJ_TOOL_FAILED",
      "4",
    ]);
    const answers = toolMessages(engine.messagesOf(1));
    expect(answers.map(({ toolCallId }) => toolCallId)).toEqual(["a", "b", "c", "d", "e", "f"]);
    expect(answers.map(({ content }) => content?.startsWith("Error"))).toEqual([
      false,
      true,
      true,
      true,
      true,
      false,
    ]);
    events.assertBalanced();
    expect(events.counts).toMatchObject({ TOOL_CALL_START: 6, TOOL_CALL_END: 6 });
  });

  it.each([
    "",
    "no such tool",
    "functions.nope",
    "名前",
    "x".repeat(200),
    "a\nb",
    "__proto__",
    "constructor",
  ])("gives a server back only names that it accepts, for a tool called %j", async (name) => {
    const { outcome, told, messages } = await runCall({ name, arguments: '{"x":1}' });
    expect(outcome).toBe("!OJ_TOOL_NOT_FOUND");
    expect(told).toContain(name === "" ? "(no name)" : name.slice(0, 50));
    expect(told).toContain("Available tools: calculator, think, list_scheduled_tasks, file_read.");
    const [, assistant, answer] = messages;
    expect(assistant?.toolCalls?.[0]?.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(answer?.name).toBe(assistant?.toolCalls?.[0]?.name);
  });

  it("tells a model without tools that there are none", async () => {
    expect((await runCall(calc("1+1"), [])).told).toContain("There are no tools.");
  });

  it("survives every way a tool can fail", async () => {
    const throws = (name: string, error: unknown) =>
      spyTool(name, {
        run: () => {
          throw error;
        },
      }).tool;
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const tools = [
      throws("error", new Error("disk on fire")),
      throws("text", "just a text"),
      throws("nothing", undefined),
      spyTool("rejects", { run: () => Promise.reject(new TypeError("late")) }).tool,
      spyTool("circular", { run: () => circular }).tool,
      spyTool("nothing_back", { run: () => undefined }).tool,
    ];
    const toolCalls = tools.map((tool) => ({ name: tool.toolId, arguments: { text: "x" } }));
    const { agent, engine, events } = setup([{ toolCalls }, "Handled."], { tools });
    const result = await agent.run("q");
    expect(result.content).toBe("Handled.");
    expect(outcomes(result)).toEqual([...Array.from({ length: 5 }, () => "!OJ_TOOL_FAILED"), ""]);
    expect(toolMessages(engine.messagesOf(1)).map(({ content }) => content)).toEqual([
      "Error: disk on fire",
      "Error: just a text",
      expect.stringMatching(/^Error/),
      "Error: late",
      expect.stringMatching(/^Error.*circular/s),
      "",
    ]);
    events.assertBalanced();
  });
});

describe("the arguments of a call", () => {
  it.each(["", "   ", "\n", "{}", null, undefined, {}])(
    "that are missing (%j) count as none",
    async (args) => {
      const { outcome } = await runCall({
        name: "list_scheduled_tasks",
        ...(args === undefined ? {} : { arguments: args }),
      });
      expect(outcome).toBe("none");
    },
  );

  it.each([
    ['"{\\"expression\\":\\"4+4\\"}"', "encoded twice"],
    ['{"expression":"4+4"}', "as they should be"],
    ['  {"expression" : "4+4"}\n', "with white space"],
    ['```json\n{"expression":"4+4"}\n```', "in a code fence"],
    ['```\n{"expression":"4+4"}\n```', "in a bare code fence"],
  ])("%j are read (%s)", async (args) => {
    expect((await runCall({ name: "calculator", arguments: args })).outcome).toBe("8");
  });

  it.each([
    ['{"expression":"1+1",}', "2"],
    ["{'expression': '1+1'}", "2"],
    ["{expression: '1+1'}", "2"],
    ["{“expression”: “1+1”}", "2"],
    ['{"a": True, "b": None}', undefined],
    ['{"expression":"1+1"', "2"],
    ['{"expression":"1+1"}}', "2"],
    ["1+1", undefined],
    ["[1]", undefined],
    ["42", undefined],
    ['"1+1"', undefined],
    ["null", undefined],
  ])("%j are repaired to the obvious value or refused with the reason", async (args, repaired) => {
    const { outcome, told } = await runCall({ name: "calculator", arguments: args });
    if (outcome === repaired) return;
    expect(outcome).toBe("!OJ_TOOL_ARGUMENTS");
    expect(told).toMatch(/^Error: .*(arguments|parameter)/i);
  });

  it.each([
    ['{"thought":"line1\nline2"}', "line1\nline2"],
    ['{"thought":"a\tb"}', "a\tb"],
    ['{"thought":"a,}"}', "a,}"],
    ['{"thought":"a,]\\n"}', "a,]\n"],
    ['{"thought":"“quoted”, True, None"}', "“quoted”, True, None"],
    ['{"thought":"```json\\n{}\\n```"}', "```json\n{}\n```"],
    ['{"thought":"\\u00e9 \\ud83d\\ude80"}', "é 🚀"],
    ['{"thought":"{\\"expression\\":\\"1\\"}"}', '{"expression":"1"}'],
    ['{"thought":""}', ""],
  ])("keep what stands inside a string: %j", async (args, thought) => {
    expect((await runCall({ name: "think", arguments: args })).outcome).toBe(thought);
  });

  it("are never cut where the model forgot to escape a quote", async () => {
    for (const args of ['{"thought":"ask the "boss", then wait"}', '{"thought":"a "b", "c":"d"}']) {
      const { outcome, told } = await runCall({ name: "think", arguments: args });
      expect(["!OJ_TOOL_ARGUMENTS", 'ask the "boss", then wait']).toContain(outcome);
      if (outcome.startsWith("!")) expect(told).toContain("Invalid arguments");
    }
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ["calculator", { expr: "1+1" }, /expression/],
    ["calculator", {}, /missing required parameter "expression"/],
    ["file_read", { path: { name: "a" } }, /"path"/],
    ["file_read", { path: "a", max_lines: "many" }, /"max_lines"/],
    ["file_read", { path: null }, /"path"/],
    ["think", {}, /missing required parameter "thought"/],
  ])("that %s does not take are refused by name: %j", async (name, args, message) => {
    const { outcome, told } = await runCall({ name, arguments: args });
    expect(outcome).toBe("!OJ_TOOL_ARGUMENTS");
    expect(told).toMatch(message);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["file_read", { path: "a", max_lines: "5" }, '{"path":"a","max_lines":5}'],
    ["file_read", { path: 42 }, '{"path":"42"}'],
    ["file_read", { path: "a", max_lines: null }, '{"path":"a"}'],
  ])("of %s with one safe reading are taken as it: %j", async (name, args, seen) => {
    expect((await runCall({ name, arguments: args })).outcome).toBe(seen);
  });

  it("cannot pollute prototypes", async () => {
    await runCall({ name: "file_read", arguments: '{"path":"a","__proto__":{"polluted":1}}' });
    await runCall({
      name: "file_read",
      arguments: '{"path":"a","constructor":{"prototype":{"polluted":1}}}',
    });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe("the name of a tool", () => {
  it.each(["calculator", "Calculator", "CALCULATOR", " calculator", "calculator\n", "functions.calculator"])(
    "%j means the calculator",
    async (name) => {
      const { outcome, messages } = await runCall({ name, arguments: { expression: "2+2" } });
      expect(outcome).toBe("4");
      expect(messages[1]?.toolCalls?.[0]?.name).toBe("calculator");
      expect(messages[2]?.name).toBe("calculator");
    },
  );

  it.each(["calc", "calculater", "math.calculator", "calculator2"])(
    "%j is refused with the tools that exist",
    async (name) => {
      const { outcome, told } = await runCall({ name, arguments: { expression: "2+2" } });
      expect(outcome).toBe("!OJ_TOOL_NOT_FOUND");
      expect(told).toContain(`Unknown tool: ${name}.`);
      expect(told).toContain("Available tools: calculator");
    },
  );

  it("that fits two tools in another case is not guessed", async () => {
    const [lower, upper] = [spyTool("echo"), spyTool("ECHO")];
    const { outcome } = await runCall({ name: "Echo", arguments: { text: "x" } }, [lower.tool, upper.tool]);
    expect(outcome).toBe("!OJ_TOOL_NOT_FOUND");
    expect([...lower.calls, ...upper.calls]).toEqual([]);
  });
});

describe("a tool that is out of time", () => {
  it("fails at its deadline, once, and its late result is ignored", async () => {
    const late: string[] = [];
    const { tool } = spyTool("sleepy", {
      timeoutSeconds: 0.05,
      run: async () => {
        await sleep(150);
        late.push("finished");
        return "too late";
      },
    });
    const { agent, events } = setup([calls({ name: "sleepy", arguments: { text: "x" } }), "Handled."], {
      tools: [tool],
    });
    const result = await agent.run("q");
    expect(outcomes(result)).toEqual(["!OJ_TOOL_TIMEOUT"]);
    expect(late).toEqual([]);
    await sleep(200);
    expect(late).toEqual(["finished"]);
    expect(events.counts).toMatchObject({ TOOL_TIMEOUT: 1, TOOL_CALL_END: 1 });
    events.assertBalanced();
    expect(result.content).toBe("Handled.");
  });

  it("gets a signal that fires, and leaves the other calls of the turn alone", async () => {
    const reasons: unknown[] = [];
    const { tool } = spyTool("sleepy", {
      run: (_params, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            reasons.push(signal.reason);
            reject(signal.reason);
          });
        }),
    });
    const script = [calls({ name: "sleepy", arguments: { text: "x" } }, calc("2+2")), "Handled."];
    const { agent } = setup(script, { tools: [tool, calculator], toolTimeoutSeconds: 0.05 });
    expect(outcomes(await agent.run("q"))).toEqual(["!OJ_TOOL_TIMEOUT", "4"]);
    expect(reasons).toEqual([expect.objectContaining({ code: "OJ_TOOL_TIMEOUT" })]);
  });
});

describe("a long result", () => {
  it("reaches the model with its head and tail, and the caller as a whole", async () => {
    const text = `head ${"x".repeat(50_000)} tail`;
    const { tool } = spyTool("long", { run: () => text });
    const script = [calls({ name: "long", arguments: { text: "x" } }), "ok"];
    const { agent, engine } = setup(script, { tools: [tool], maxResultChars: 1000 });
    const result = await agent.run("q");
    expect(result.toolResults[0]?.content).toBe(text);
    const told = toolMessages(engine.messagesOf(1))[0]?.content ?? "";
    expect(told.length).toBeLessThanOrEqual(1000);
    expect(told).toMatch(/^head .*characters left out.* tail$/s);
  });
});
