import assert from "node:assert/strict";
import { collect, isJarvisError, JarvisError, type Message, type OpenAIFunction } from "@openjarvis/core";
import type { Check } from "./check.js";
import { assertAborted, assertUniform, type WithEngine } from "./engine-asserts.js";

const messages: Message[] = [{ role: "user", content: "What is 2+2?" }];

const tools: OpenAIFunction[] = ["calculator", "think"].map((name) => ({
  type: "function",
  function: {
    name,
    description: "A tool.",
    parameters: {
      type: "object",
      properties: {
        text: { type: "string", description: "Any text" },
        count: { type: "integer", description: "Any" },
      },
      required: ["text"],
    },
  },
}));

/** What engines with a scripted model must keep beside the rest of `engineChecks`. */
export function engineReplyChecks(withEngine: WithEngine, callSeconds: number): Check[] {
  const odd = 'naïve “quotes” – 3 < 4 && \\n\n\tпривет 🚀 {"json": [1]}';
  return [
    {
      name: "passes text on as it is",
      run: withEngine([{ text: [odd.slice(0, 9), odd.slice(9)] }], async (engine, request) => {
        const result = await engine.generate(messages, request);
        assertUniform(result);
        assert.equal(result.content, odd);
        assert.equal(result.finishReason, "stop");
      }),
    },
    {
      name: "keeps reasoning between tags out of the answer",
      run: withEngine(
        [{ text: ["<thi", "nk>first add</thi", "nk>\nThe answer is 4."] }],
        async (engine, request) => {
          const result = await engine.generate(messages, request);
          assert.equal(result.content, "The answer is 4.");
          assert.equal(result.reasoning, "first add");
        },
      ),
    },
    {
      name: "keeps reasoning that is sent apart out of the answer",
      run: withEngine([{ reasoning: "first add", text: "4" }], async (engine, request) => {
        const result = await engine.generate(messages, request);
        assert.equal(result.content, "4");
        assert.equal(result.reasoning, "first add");
      }),
    },
    {
      name: "reports usage",
      run: withEngine(
        [{ text: "4", usage: { promptTokens: 31, completionTokens: 7 } }],
        async (engine, request) => {
          const { usage } = await engine.generate(messages, request);
          assert.deepEqual(usage, { promptTokens: 31, completionTokens: 7, totalTokens: 38 });
        },
      ),
    },
    {
      name: "says when the token limit cut the answer",
      run: withEngine([{ text: "The answer", finishReason: "length" }], async (engine, request) => {
        assert.equal((await engine.generate(messages, request)).finishReason, "length");
      }),
    },
    {
      name: "gives a tool call with its arguments",
      run: withEngine(
        [{ toolCalls: [{ name: "calculator", arguments: { text: odd, count: 3 } }] }],
        async (engine, request) => {
          const result = await engine.generate(messages, { ...request, tools });
          assertUniform(result);
          assert.equal(result.finishReason, "tool_calls");
          const [call] = result.toolCalls;
          assert.equal(call?.name, "calculator");
          assert.deepEqual(JSON.parse(call.arguments), { text: odd, count: 3 });
        },
      ),
    },
    {
      name: "gives parallel tool calls in their order, streamed or not",
      run: async () => {
        const toolCalls = ["a", "b", "c"].map((text) => ({ name: "calculator", arguments: { text } }));
        await withEngine([{ toolCalls }, { toolCalls }], async (engine, request) => {
          const whole = await engine.generate(messages, { ...request, tools });
          const streamed = await collect(engine.stream(messages, { ...request, tools }), request.model);
          for (const result of [whole, streamed]) {
            assertUniform(result);
            const texts = result.toolCalls.map(
              (call) => (JSON.parse(call.arguments) as { text: string }).text,
            );
            assert.deepEqual(texts, ["a", "b", "c"]);
          }
        })();
      },
    },
    {
      name: "takes a history with tool calls and their results",
      run: async () => {
        const history: Message[] = [
          { role: "system", content: "Be brief." },
          ...messages,
          {
            role: "assistant",
            content: null,
            toolCalls: [
              { id: "call_a", name: "calculator", arguments: '{"text":"2+2"}' },
              { id: "call_b", name: "think", arguments: "{bad" },
            ],
          },
          { role: "tool", content: "4", toolCallId: "call_a", name: "calculator" },
          { role: "tool", content: "Error: no JSON", toolCallId: "call_b", name: "think" },
        ];
        await withEngine([{ text: "4" }], async (engine, request) => {
          assert.equal((await engine.generate(history, { ...request, tools })).content, "4");
        })();
      },
    },
    {
      name: "ends when it is cancelled while the model thinks",
      run: withEngine(
        [
          { text: ["a", "b", "c"], hang: true },
          { text: ["a", "b", "c"], hang: true },
        ],
        async (engine, request) => {
          const reading = new AbortController();
          const read = async () => {
            // Cancelled at its first piece: then the model is surely at work, however slow the machine.
            const { signal } = reading;
            for await (const _ of engine.stream(messages, { ...request, signal })) reading.abort();
          };
          await assertAborted(read(), callSeconds);
          const waiting = new AbortController();
          const answer = engine.generate(messages, { ...request, signal: waiting.signal });
          setTimeout(() => waiting.abort(), Math.min(250, (callSeconds * 1000) / 3));
          await assertAborted(answer, callSeconds);
        },
      ),
    },
    {
      name: "fails when the connection breaks in the middle of an answer",
      run: withEngine(
        [
          {
            text: ["half ", "an ", "answer"],
            error: new JarvisError("OJ_ENGINE_PROTOCOL", "The connection broke."),
          },
        ],
        async (engine, request) => {
          const read = async () => {
            for await (const _ of engine.stream(messages, request));
          };
          await assert.rejects(
            read(),
            (error) => isJarvisError(error) && error.code.startsWith("OJ_ENGINE_"),
          );
        },
      ),
    },
  ];
}
