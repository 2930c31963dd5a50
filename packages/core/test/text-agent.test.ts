import type { CodeReply } from "@openjarvis/model-output/replies";
import { describe, expect, it } from "vitest";
import {
  type AgentOptions,
  type AgentResult,
  type AgentRun,
  defineTool,
  EventBus,
  type InferenceDelta,
  TextAgent,
  type TextProtocol,
  type TextRun,
} from "../src/index.js";
import { eventsOf, recordEvents, ScriptedEngine, type Step, text, toolCall } from "./support.js";

const plain: TextProtocol = {
  dialects: "any",
  systemPrompt: (tools) => tools.map(({ spec }) => spec.name).join(","),
  observation: (results) =>
    results
      .map(({ tool, text, success }) => `${tool} ${success ? "gave" : "failed with"} ${text}`)
      .join("; "),
};

const pair = defineTool({
  name: "pair",
  description: "Joins two texts.",
  parameters: {
    type: "object",
    properties: { left: { type: "string" }, right: { type: "string" } },
    required: ["left", "right"],
  } as const,
  run: ({ left, right }) => left + right,
});

const script = defineTool({
  name: "script",
  description: "Takes code.",
  parameters: { type: "object", properties: { code: { type: "string" } }, required: ["code"] } as const,
  metadata: { structured_allow_object_text: true },
  run: ({ code }) => code,
});

const long = defineTool({ name: "long", description: "Long.", run: () => "x".repeat(5000) });

function setUp(
  steps: readonly Step[],
  protocol: Partial<TextProtocol> = {},
  extra: Partial<AgentOptions> = {},
) {
  class PlainAgent extends TextAgent {
    readonly agentId = "plain";
    protected override respond(run: AgentRun): Promise<AgentResult> {
      return this.answerByText(run, { ...plain, ...protocol });
    }
  }
  return make(PlainAgent, steps, extra);
}

function make(
  Agent: new (options: AgentOptions) => TextAgent,
  steps: readonly Step[],
  extra: Partial<AgentOptions>,
) {
  const bus = new EventBus();
  const engine = new ScriptedEngine(...steps);
  const agent = new Agent({ engine, model: "m", bus, tools: [pair, script, long], ...extra });
  return { agent, engine, events: recordEvents(bus) };
}

const says = (content: string, reason = "stop"): InferenceDelta[] => [
  text(content),
  { type: "finish", reason },
];
const json = (name: string, args: unknown) => says(JSON.stringify({ name, arguments: args }));
const last = (engine: ScriptedEngine) => engine.calls.at(-1)?.messages.at(-1)?.content;

describe("a text agent", () => {
  it("speaks by its protocol: prompt, results, and no stop unless it names one", async () => {
    const { agent, engine } = setUp([json("pair", { left: "a", right: "b" }), says("ab")]);
    expect(await agent.run("q")).toMatchObject({ content: "ab", turns: 2 });
    expect(engine.calls[0]?.messages[0]).toEqual({ role: "system", content: "pair,script,long" });
    expect(last(engine)).toBe("pair gave ab");
    expect(engine.calls[0]?.options).not.toHaveProperty("stop");
    expect(engine.calls[0]?.options).not.toHaveProperty("tools");
  });

  it("sends no system message when there is nothing to say in it", async () => {
    const { agent, engine } = setUp([says("ok")], { systemPrompt: () => "" }, { systemPrompt: "" });
    await agent.run("q");
    expect(engine.calls[0]?.messages).toEqual([{ role: "user", content: "q" }]);
  });

  it("tells of all calls of a turn at once, in their order", async () => {
    const both = `[{"name":"pair","arguments":{"left":"a","right":"b"}},{"name":"nope","arguments":{}}]`;
    const { agent, engine, events } = setUp([says(both), says("ok")]);
    const { toolResults } = await agent.run("q");
    expect(toolResults.map(({ toolName, success }) => [toolName, success])).toEqual([
      ["pair", true],
      ["nope", false],
    ]);
    expect(last(engine)).toMatch(/^pair gave ab; nope failed with Error: Unknown tool: nope\./);
    expect(eventsOf(events, "TOOL_CALL_START")).toHaveLength(2);
    expect(eventsOf(events, "TOOL_CALL_END")).toHaveLength(2);
  });

  it("gives every call an id of its own", async () => {
    const call = json("pair", { left: "a", right: "b" });
    const { agent, events } = setUp([call, call, says("ok")]);
    await agent.run("q");
    const ids = eventsOf(events, "TOOL_CALL_END").map(({ data }) => data.callId);
    expect(new Set(ids).size).toBe(2);
  });

  it("bounds what the model is told of a result", async () => {
    const { agent, engine } = setUp([json("long", {}), says("ok")], {}, { maxResultChars: 200 });
    await agent.run("q");
    expect(last(engine)?.length).toBeLessThan(300);
  });

  it("refuses arguments nobody can read, and says what to write", async () => {
    const react = { dialects: "react" } as const;
    const { agent, engine } = setUp([says("Action: pair\nAction Input: a and b"), says("ok")], react);
    const { toolResults } = await agent.run("q");
    expect(toolResults[0]).toMatchObject({ success: false, metadata: { code: "OJ_TOOL_ARGUMENTS" } });
    expect(last(engine)).toMatch(/^pair failed with Error: .*Write a JSON object: \{"left": string/);
  });

  it("takes text that looks like an object for code where the tool says so", async () => {
    const react = { dialects: "react" } as const;
    const { agent } = setUp([says("Action: script\nAction Input: {'a': b}"), says("ok")], react);
    const { toolResults } = await agent.run("q");
    expect(toolResults[0]).toMatchObject({ success: true, content: "{'a': b}" });
  });

  it("keeps nothing in the history from where it told the model to stop", async () => {
    const { agent, engine } = setUp([says("Thought: hm\nEND invented"), says("Final Answer: ok")], {
      dialects: "react",
      stop: ["\nEND"],
    });
    expect((await agent.run("q")).content).toBe("ok");
    expect(engine.calls[0]?.options.stop).toEqual(["\nEND"]);
    expect(engine.calls[1]?.messages.at(-2)).toEqual({ role: "assistant", content: "Thought: hm" });
  });

  it("raises the token limit with every cut reply, up to eight times", async () => {
    const cut = says('{"name": "pair", "argum', "length");
    const good = json("pair", { left: "a", right: "b" });
    const { agent, engine } = setUp([cut, cut, good, cut, cut, good, says("ok")], {}, { maxTokens: 10 });
    expect((await agent.run("q")).content).toBe("ok");
    expect(engine.calls.map(({ options }) => options.maxTokens)).toEqual([10, 20, 40, 40, 80, 80, 80]);
  });

  it("gives native calls with one id twice ids of their own, and names that servers accept", async () => {
    const native = [toolCall("call_0", "pair", { left: "a", right: "b" })];
    const odd = [toolCall("call_0", "päir {x}", {})];
    const { agent, engine } = setUp([native, odd, says("ok")]);
    await agent.run("q");
    const messages = engine.calls[2]?.messages ?? [];
    const asked = messages.flatMap(({ toolCalls = [] }) => toolCalls);
    expect(new Set(asked.map(({ id }) => id)).size).toBe(2);
    expect(asked[1]?.name).toMatch(/^[A-Za-z0-9_-]+$/);
    const answered = messages.filter(({ role }) => role === "tool");
    expect(answered.map(({ toolCallId }) => toolCallId)).toEqual(asked.map(({ id }) => id));
  });
});

describe("code in a reply", () => {
  const block = "Let me compute.\n```js\n1 + 1\n```";

  it("is part of the answer when the protocol names no language", async () => {
    const { agent } = setUp([says(block)]);
    expect(await agent.run("q")).toMatchObject({ content: block, turns: 1 });
  });

  it("is not run by an agent that runs none, which says so", async () => {
    const { agent, engine } = setUp([says(block), says("2")], { codeLanguages: ["js"] });
    expect(await agent.run("q")).toMatchObject({ content: "2", turns: 2 });
    expect(last(engine)).toBe("Nothing here runs code. Answer without it.");
  });

  it("goes to the agent that runs it, without what follows, and its outcome to the model", async () => {
    const ran: string[] = [];
    class CodeAgent extends TextAgent {
      readonly agentId = "code";
      protected override respond(run: AgentRun): Promise<AgentResult> {
        return this.answerByText(run, { ...plain, codeLanguages: ["js"] });
      }
      protected override async runCode({ run }: TextRun, { blocks, thought }: CodeReply): Promise<string> {
        ran.push(...blocks.map(({ code }) => code.trim()), thought, run.lastContent);
        return "It printed 2.";
      }
    }
    const { agent, engine } = make(CodeAgent, [says(`${block}\nIt prints 3.`), says("2")], {});
    expect(await agent.run("q")).toMatchObject({ content: "2", turns: 2 });
    expect(ran).toEqual(["1 + 1", "Let me compute.", "Let me compute."]);
    const [kept, told] = engine.calls[1]?.messages.slice(-2) ?? [];
    expect(kept).toEqual({ role: "assistant", content: block });
    expect(told).toEqual({ role: "user", content: "It printed 2." });
  });
});
