import assert from "node:assert/strict";
import { isJarvisError, JarvisError, type Message } from "@openjarvis/core";
import {
  type AgentProtocol,
  acceptsTools,
  assertRun,
  functionCalling,
  type MakeAgent,
  type MakeSubject,
  subjectMaker,
  testModel,
} from "./agent-subject.js";
import { agentToolChecks } from "./agent-tool-checks.js";
import type { Check } from "./check.js";
import { ScriptedEngine } from "./scripted-engine.js";
import type { ScriptedReply } from "./scripted-step.js";
import { spyTool } from "./spy-tool.js";

/** Options of {@link agentChecks}. */
export interface AgentCheckOptions {
  /** How the agent's model calls tools and answers. @default native function calling */
  protocol?: AgentProtocol;
  /** Seconds after which a run counts as one that hangs. @default 10 */
  runSeconds?: number;
}

/**
 * What every agent must keep, whatever its protocol: it answers, publishes balanced events on every path, can be
 * cancelled at any time, keeps concurrent and successive runs apart, and ends. Agents that take tools must also survive
 * every kind of bad call and give their results back to the model; agents that take none must ignore tool options.
 */
export function agentChecks(makeAgent: MakeAgent, options: AgentCheckOptions = {}): Check[] {
  const { protocol = functionCalling, runSeconds = 10 } = options;
  const makeSubject = subjectMaker(makeAgent, runSeconds);
  const more = acceptsTools(makeAgent) ? agentToolChecks : toollessChecks;
  return [...commonChecks(makeAgent, makeSubject, protocol), ...more(makeSubject, protocol)];
}

function commonChecks(makeAgent: MakeAgent, makeSubject: MakeSubject, protocol: AgentProtocol): Check[] {
  return [
    {
      name: "answers directly",
      run: async () => {
        const subject = makeSubject([protocol.final("The answer is 42.")]);
        const result = await subject.run("What is the answer?");
        assertRun(subject, result);
        assert.equal(result.content, "The answer is 42.");
        assert.equal(result.metadata.stopReason, "final");
        assert.equal(result.turns, 1);
        assert.deepEqual(result.toolResults, []);
        assert.equal(result.metadata.inferenceCalls, 1);
        const [start] = subject.events.of("AGENT_TURN_START");
        assert.equal(start?.data.input, "What is the answer?");
        assert.equal(subject.engine.optionsOf(0).model, testModel);
        subject.engine.assertDone();
      },
    },
    {
      name: "works without a bus",
      run: async () => {
        const engine = new ScriptedEngine([protocol.final("Hello.")]);
        const result = await makeAgent({ engine, model: testModel }).run("Hi");
        assert.equal(result.content, "Hello.");
      },
    },
    {
      name: "sends the conversation before the input, with all system texts in one leading message",
      run: async () => {
        const subject = makeSubject([protocol.final("Ana.")]);
        const conversation: Message[] = [
          { role: "user", content: "My name is Ana." },
          { role: "system", content: "Speak plainly." },
          { role: "assistant", content: "Noted." },
        ];
        assertRun(subject, await subject.run("What is my name?", { conversation }));
        const messages = subject.engine.messagesOf(0);
        const systems = messages.filter(({ role }) => role === "system");
        assert.equal(systems.length, 1, `there are ${systems.length} system messages`);
        assert.equal(messages[0]?.role, "system", "the system message does not come first");
        assert.ok(
          systems[0]?.content?.includes("Speak plainly."),
          "a system text of the conversation is missing",
        );
        const contents = messages.map(({ content }) => content ?? "");
        const order = ["My name is Ana.", "Noted.", "What is my name?"].map((text) =>
          contents.findIndex((content) => content.includes(text)),
        );
        assert.ok(!order.includes(-1), "a message of the conversation is missing");
        assert.deepEqual(
          order,
          order.toSorted((a, b) => a - b),
          "the conversation is out of order",
        );
      },
    },
    {
      name: "ends its events when the engine fails, and rethrows",
      run: async () => {
        const failure = new JarvisError("OJ_ENGINE_SERVER", "The model server said 500.");
        const subject = makeSubject(() => failure);
        await assert.rejects(subject.run("Hi"), (error) => isJarvisError(error, "OJ_ENGINE_SERVER"));
        subject.events.assertBalanced();
        const [end] = subject.events.of("AGENT_TURN_END");
        assert.ok(end?.data.error?.includes("The model server said 500."), "AGENT_TURN_END has no error");
      },
    },
    {
      name: "is aborted before the run",
      run: async () => {
        const subject = makeSubject([protocol.final("Never asked.")]);
        const result = await subject.run("Hi", {}, { signal: AbortSignal.abort() });
        assertRun(subject, result);
        assert.equal(result.metadata.stopReason, "aborted");
        assert.equal(subject.engine.callCount, 0, "the engine was asked");
      },
    },
    {
      name: "is aborted during an inference call",
      run: async () => {
        const controller = new AbortController();
        const subject = makeSubject(() => {
          setImmediate(() => controller.abort());
          return { text: "half an ans", hang: true };
        });
        const result = await subject.run("Hi", {}, { signal: controller.signal });
        assertRun(subject, result);
        assert.equal(result.metadata.stopReason, "aborted");
        assert.equal(subject.engine.callCount, 1, "the engine was asked again after the abort");
      },
    },
    {
      name: "ends, and says so, when the model gives nothing",
      run: async () => {
        const subject = makeSubject(() => ({ text: null }));
        const result = await subject.run("Hi");
        assertRun(subject, result);
        assert.notEqual(result.metadata.stopReason, "final", "nothing was passed off as an answer");
        assert.ok(
          subject.engine.callCount <= subject.agent.maxTurns + 3,
          `${subject.engine.callCount} calls`,
        );
      },
    },
    {
      name: "keeps concurrent runs apart",
      run: async () => {
        const subject = makeSubject((messages) => echo(messages, protocol));
        const inputs = Array.from({ length: 10 }, (_, index) => `question ${index}.`);
        const results = await Promise.all(inputs.map((input) => subject.run(input)));
        for (const [index, result] of results.entries()) {
          assertRun(subject, result);
          assert.equal(result.content, `Answer to question ${index}.`);
          assert.equal(result.metadata.inferenceCalls, 1);
          assert.equal(result.metadata.usage.totalTokens, 12, "the usage of another run was counted");
        }
        assert.equal(new Set(results.map(({ metadata }) => metadata.runId)).size, 10, "runs share an id");
      },
    },
    {
      name: "starts clean in a second run",
      run: async () => {
        const subject = makeSubject((messages) => echo(messages, protocol));
        const first = await subject.run("question 1.");
        const second = await subject.run("question 2.");
        assertRun(subject, second);
        assert.equal(second.content, "Answer to question 2.");
        assert.equal(second.metadata.usage.totalTokens, 12);
        assert.notEqual(first.metadata.runId, second.metadata.runId);
        const texts = subject.engine.messagesOf(-1).map(({ content }) => content ?? "");
        assert.ok(
          !texts.some((text) => text.includes("question 1.")),
          "the first run is still in the messages",
        );
      },
    },
    {
      name: "refuses an option it does not know",
      run: async () => {
        const options = { engine: new ScriptedEngine([]), model: testModel, maxTurnz: 3 };
        assert.throws(
          () => makeAgent(options),
          (error) => isJarvisError(error, "OJ_OPTION"),
        );
      },
    },
  ];
}

/** Answers the question in the last message that has one, after a turn of the event loop. */
async function echo(messages: readonly Message[], protocol: AgentProtocol): Promise<ScriptedReply> {
  const question = messages.findLast(({ content }) => content?.includes("question "))?.content ?? "";
  const reply = protocol.final(`Answer to ${/question \d+\./.exec(question)?.[0] ?? "nothing"}`);
  await new Promise((resolve) => setImmediate(resolve));
  const usage = { promptTokens: 7, completionTokens: 5, totalTokens: 12 };
  return typeof reply === "string" ? { text: reply, usage } : { ...reply, usage };
}

function toollessChecks(makeSubject: MakeSubject, protocol: AgentProtocol): Check[] {
  return [
    {
      name: "takes tool options and ignores them",
      run: async () => {
        const spy = spyTool("echo");
        const script = [protocol.final("No tools here.")];
        const subject = makeSubject(script, { tools: [spy.tool], toolTimeoutSeconds: 1 });
        const result = await subject.run("Hi");
        assertRun(subject, result);
        assert.equal(result.content, "No tools here.");
        assert.equal(subject.engine.optionsOf(0).tools, undefined, "tools were offered to the model");
        assert.deepEqual(spy.calls, []);
      },
    },
  ];
}
