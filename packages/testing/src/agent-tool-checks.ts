import assert from "node:assert/strict";
import type { AgentResult, ToolResult } from "@openjarvis/core";
import { type AgentProtocol, type AgentSubject, assertRun, type MakeSubject } from "./agent-subject.js";
import type { Check } from "./check.js";
import { spyTool } from "./spy-tool.js";

/** What agents that take tools must keep beside the rest of `agentChecks`. */
export function agentToolChecks(makeSubject: MakeSubject, protocol: AgentProtocol): Check[] {
  const done = protocol.final("Done.");
  const checks: Check[] = [
    {
      name: "calls one tool and gives its result to the model",
      run: async () => {
        const spy = spyTool("echo");
        const subject = makeSubject([protocol.call("echo", { text: "marker-7141" }), done], {
          tools: [spy.tool],
        });
        const result = await subject.run("Echo it.");
        assertAnswered(subject, result);
        assert.deepEqual(spy.calls, [{ text: "marker-7141" }]);
        assert.equal(result.turns, 2);
        const [only] = oneResult(result);
        assert.equal(only.success, true, only.content);
        assert.equal(only.content, "marker-7141");
        assertModelSaw(subject, "marker-7141");
        const [start] = subject.events.of("TOOL_CALL_START");
        assert.equal(start?.data.tool, "echo");
        assert.equal(start.data.agent, subject.agent.agentId);
        assert.deepEqual(start.data.arguments, { text: "marker-7141" });
        assert.equal(subject.events.of("TOOL_CALL_END")[0]?.data.success, true);
        subject.engine.assertDone();
      },
    },
    {
      name: "goes on after a tool that does not exist",
      run: async () => {
        const spy = spyTool("echo");
        const script = [protocol.call("no_such_tool", { text: "x" }), done];
        const subject = makeSubject(script, { tools: [spy.tool] });
        const result = await subject.run("Echo it.");
        assertAnswered(subject, result);
        assertFailed(result, "OJ_TOOL_NOT_FOUND");
        assertModelSaw(subject, "no_such_tool");
        assert.deepEqual(spy.calls, []);
      },
    },
    {
      name: "goes on after arguments the tool does not take",
      run: async () => {
        const spy = spyTool("echo");
        const subject = makeSubject([protocol.call("echo", { txt: "x" }), done], {
          tools: [spy.tool],
        });
        const result = await subject.run("Echo it.");
        assertAnswered(subject, result);
        assertFailed(result, "OJ_TOOL_ARGUMENTS");
        assertModelSaw(subject, "text");
        assert.deepEqual(spy.calls, []);
      },
    },
    {
      name: "goes on after a tool that throws",
      run: async () => {
        const spy = spyTool("echo", {
          run: () => {
            throw new Error("disk on fire");
          },
        });
        const subject = makeSubject([protocol.call("echo", { text: "x" }), done], {
          tools: [spy.tool],
        });
        const result = await subject.run("Echo it.");
        assertAnswered(subject, result);
        assertFailed(result, "OJ_TOOL_FAILED");
        assertModelSaw(subject, "disk on fire");
      },
    },
    {
      name: "does not run a tool that nobody allows",
      run: async () => {
        const spy = spyTool("echo", { requiresConfirmation: true });
        const subject = makeSubject([protocol.call("echo", { text: "x" }), done], {
          tools: [spy.tool],
        });
        const result = await subject.run("Echo it.");
        assertAnswered(subject, result);
        assertFailed(result, "OJ_TOOL_DENIED");
        assert.deepEqual(spy.calls, [], "the tool ran although nobody allowed it");
      },
    },
    {
      name: "runs only the tools the context names",
      run: async () => {
        const [mine, other] = [spyTool("mine"), spyTool("other")];
        const script = [protocol.call("other", { text: "x" }), protocol.call("mine", { text: "y" }), done];
        const subject = makeSubject(script, { tools: [mine.tool, other.tool] });
        const result = await subject.run("Go.", { tools: ["mine"] });
        assertAnswered(subject, result);
        assert.deepEqual(other.calls, [], "a tool ran that the context does not name");
        assert.deepEqual(mine.calls, [{ text: "y" }]);
      },
    },
    {
      name: "ends when its turns are used up",
      run: async () => {
        const spy = spyTool("echo");
        let count = 0;
        const endless = () => {
          count += 1;
          return protocol.call("echo", { text: `call ${count}` });
        };
        const subject = makeSubject(endless, { tools: [spy.tool], maxTurns: 3 });
        const result = await subject.run("Go on for ever.");
        assertRun(subject, result);
        assert.equal(result.turns, 3);
        assert.equal(result.metadata.stopReason, "max_turns");
        assert.equal(result.metadata.maxTurnsExceeded, true);
        assert.notEqual(result.content, "", "the run ended without a word");
        assert.equal(result.toolResults.length, 3, "results were lost");
        assert.ok(subject.engine.callCount <= 4, `the engine was asked ${subject.engine.callCount} times`);
      },
    },
    {
      name: "is aborted during a tool call and keeps earlier results",
      run: async () => {
        const controller = new AbortController();
        const quick = spyTool("quick");
        const slow = spyTool("slow", {
          run: (_params, { signal }) =>
            new Promise((_resolve, reject) => {
              signal.addEventListener("abort", () => reject(signal.reason), { once: true });
              setImmediate(() => controller.abort());
            }),
        });
        const script = [protocol.call("quick", { text: "kept" }), protocol.call("slow", { text: "x" }), done];
        const subject = makeSubject(script, { tools: [quick.tool, slow.tool] });
        const result = await subject.run("Go.", {}, { signal: controller.signal });
        assertRun(subject, result);
        assert.equal(result.metadata.stopReason, "aborted");
        assert.equal(subject.engine.callCount, 2, "the engine was asked after the abort");
        assert.equal(result.toolResults[0]?.content, "kept", "the result of an earlier call was lost");
        assert.equal(result.toolResults[1]?.metadata.code, "OJ_ABORTED");
      },
    },
    {
      name: "keeps the results of concurrent runs apart",
      run: async () => {
        const spy = spyTool("echo");
        const subject = makeSubject(
          async (messages) => {
            await new Promise((resolve) => setImmediate(resolve));
            const text = messages.map(({ content }) => content ?? "").join("\n");
            const mark = /input-\d+/.exec(text)?.[0] ?? "";
            return text.includes(`result of ${mark}`)
              ? done
              : protocol.call("echo", { text: `result of ${mark}` });
          },
          { tools: [spy.tool] },
        );
        const inputs = Array.from({ length: 8 }, (_, index) => `input-${index + 10}`);
        const results = await Promise.all(inputs.map((input) => subject.run(input)));
        for (const [index, result] of results.entries()) {
          assertAnswered(subject, result);
          assert.equal(oneResult(result)[0].content, `result of ${inputs[index]}`);
        }
      },
    },
  ];
  const { badCall } = protocol;
  if (badCall !== undefined) {
    checks.push({
      name: "goes on after arguments that cannot be read",
      run: async () => {
        const spy = spyTool("echo");
        const subject = makeSubject([badCall("echo"), done], { tools: [spy.tool] });
        const result = await subject.run("Echo it.");
        assertAnswered(subject, result);
        assertFailed(result, "OJ_TOOL_ARGUMENTS");
        assert.deepEqual(spy.calls, []);
      },
    });
  }
  return checks;
}

function assertAnswered(subject: AgentSubject, result: AgentResult): void {
  assertRun(subject, result);
  assert.equal(result.metadata.stopReason, "final");
  assert.equal(result.content, "Done.");
  const { runId } = result.metadata;
  const ends = subject.events.of("TOOL_CALL_END").filter((event) => event.runId === runId);
  assert.equal(ends.length, result.toolResults.length, "each tool result has one TOOL_CALL_END");
}

function oneResult(result: AgentResult): [ToolResult] {
  const [first, ...more] = result.toolResults;
  assert.ok(
    first !== undefined && more.length === 0,
    `there are ${result.toolResults.length} tool results, not one`,
  );
  return [first];
}

function assertFailed(result: AgentResult, code: string): void {
  const [only] = oneResult(result);
  assert.equal(only.success, false, "the failed call counts as a success");
  assert.equal(only.metadata.code, code, only.content);
}

/** The last call to the model holds the text in a message. */
function assertModelSaw(subject: AgentSubject, text: string): void {
  const contents = subject.engine.messagesOf(-1).map(({ content }) => content ?? "");
  assert.ok(
    contents.some((content) => content.includes(text)),
    `the model never saw "${text}"`,
  );
}
