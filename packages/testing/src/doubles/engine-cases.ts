import type { ErrorCode, FinishReason, InferenceResult, ToolCall } from "@openjarvis/core";
import type { DoubleReply } from "./reply.js";

/** What one scripted reply must become, whatever the protocol; for table tests of engines against their doubles. */
export interface EngineCase {
  name: string;
  reply: DoubleReply;
  /** Parts of the result that are compared; calls without their ids, which must be there and differ. */
  expected?: Partial<Pick<InferenceResult, "content" | "reasoning" | "usage">> & {
    finishReason?: FinishReason;
    toolCalls?: readonly Omit<ToolCall, "id">[];
  };
  /** The error that must be thrown in place of a result, with what its message says. */
  error?: { code: ErrorCode; message?: RegExp };
}

const unicode = "привет 🚀 — naïve 東京 👩‍👩‍👧";
const first = { name: "calculator", arguments: { expression: "1" } };
const second = { name: "calculator", arguments: { expression: "2" } };
const wholeFirst = { name: "calculator", arguments: '{"expression":"1"}' };
const wholeSecond = { name: "calculator", arguments: '{"expression":"2"}' };
const both = { toolCalls: [wholeFirst, wholeSecond], finishReason: "tool_calls" } as const;

/**
 * What every engine behind one of the doubles has to get right: bytes cut anywhere, the shapes of tool calls servers
 * use, endings, and failures.
 *
 * @example
 * test.each(engineCases)("$name", async ({ reply, expected, error }) => { … });
 */
export const engineCases: readonly EngineCase[] = [
  {
    name: "text in one piece",
    reply: { text: "hello" },
    expected: {
      content: "hello",
      finishReason: "stop",
      usage: { promptTokens: 10, completionTokens: 5, totalTokens: 15 },
    },
  },
  {
    name: "text in many pieces",
    reply: { text: [..."a long answer".repeat(50)] },
    expected: { content: "a long answer".repeat(50) },
  },
  ...[1, 2, 3, 5, 7, 64].map(
    (chunking): EngineCase => ({
      name: `bytes cut after every ${chunking}`,
      reply: { text: [unicode, " and ", unicode], reasoning: unicode, faults: { chunking } },
      expected: { content: `${unicode} and ${unicode}`, reasoning: unicode },
    }),
  ),
  {
    name: "two frames in one chunk",
    reply: { text: ["a", "b", "c", "d"], faults: { chunking: "pairs" } },
    expected: { content: "abcd" },
  },
  {
    name: "everything in one chunk",
    reply: { text: ["a", "b", "c"], faults: { chunking: "joined" } },
    expected: { content: "abc" },
  },
  {
    name: "last frame without a newline",
    reply: { text: ["a", "b"], faults: { lastNewline: false } },
    expected: { content: "ab", finishReason: "stop" },
  },
  {
    name: "a connection left open behind the answer",
    reply: { text: "done", faults: { keepOpen: true } },
    expected: { content: "done" },
  },
  {
    name: "reasoning beside the answer",
    reply: { reasoning: Array(20).fill("x"), text: "42" },
    expected: { content: "42", reasoning: "x".repeat(20) },
  },
  { name: "nothing at all", reply: {}, expected: { content: "", toolCalls: [], finishReason: "stop" } },
  {
    name: "an answer cut by the token limit",
    reply: { text: "half", finishReason: "length" },
    expected: { content: "half", finishReason: "length" },
  },
  {
    name: "no usage",
    reply: { text: "a", usage: null },
    expected: { usage: { promptTokens: 0, completionTokens: 0, totalTokens: 0 } },
  },
  {
    name: "one tool call",
    reply: { toolCalls: [first] },
    expected: { content: "", toolCalls: [wholeFirst], finishReason: "tool_calls" },
  },
  {
    name: "text and a tool call that ends with stop",
    reply: { text: "let me check", toolCalls: [first], finishReason: "stop" },
    expected: { content: "let me check", toolCalls: [wholeFirst], finishReason: "tool_calls" },
  },
  { name: "parallel calls", reply: { toolCalls: [first, second] }, expected: both },
  {
    name: "parallel calls that all have index 0",
    reply: {
      toolCalls: [
        { ...first, id: "a", index: 0, fragments: 1 },
        { ...second, id: "b", index: 0, fragments: 1 },
      ],
    },
    expected: both,
  },
  {
    name: "parallel calls with the same id",
    reply: {
      toolCalls: [
        { ...first, id: "x", fragments: 1 },
        { ...second, id: "x", fragments: 1 },
      ],
    },
    expected: both,
  },
  {
    name: "parallel calls without an index",
    reply: {
      toolCalls: [
        { ...first, omit: ["index"] },
        { ...second, omit: ["index"] },
      ],
    },
    expected: both,
  },
  {
    name: "parallel calls with null ids",
    reply: {
      toolCalls: [
        { ...first, id: null },
        { ...second, id: null },
      ],
    },
    expected: both,
  },
  {
    name: "parallel calls with empty ids",
    reply: {
      toolCalls: [
        { ...first, id: "" },
        { ...second, id: "" },
      ],
    },
    expected: both,
  },
  {
    name: "parallel calls without ids",
    reply: {
      toolCalls: [
        { ...first, omit: ["id"] },
        { ...second, omit: ["id"] },
      ],
    },
    expected: both,
  },
  {
    name: "parallel calls with null ids and no index",
    reply: {
      toolCalls: [
        { ...first, id: null, omit: ["index"] },
        { ...second, id: null, omit: ["index"] },
      ],
    },
    expected: both,
  },
  {
    name: "a call in many fragments",
    reply: { toolCalls: [{ ...first, fragments: 12 }] },
    expected: { toolCalls: [wholeFirst] },
  },
  {
    name: "one document although a stream was asked for",
    reply: { unstreamed: true, reasoning: "hm", text: "whole", toolCalls: [{ ...first, id: null }] },
    expected: { content: "whole", reasoning: "hm", toolCalls: [wholeFirst] },
  },
  {
    name: "a connection cut in the middle",
    reply: { text: ["a", "b", "c"], faults: { closeAfter: 2 } },
    error: { code: "OJ_ENGINE_PROTOCOL", message: /middle of its answer/ },
  },
  {
    name: "a connection cut behind the headers",
    reply: { text: "a", faults: { closeAfter: 0 } },
    error: { code: "OJ_ENGINE_PROTOCOL" },
  },
  {
    name: "an answer that ends too early",
    reply: { text: ["a", "b", "c"], faults: { endAfter: 2 } },
    error: { code: "OJ_ENGINE_PROTOCOL", message: /before it was complete/ },
  },
  { name: "an empty body", reply: { body: "" }, error: { code: "OJ_ENGINE_PROTOCOL" } },
  {
    name: "a web page",
    reply: { body: "<html><body>It works!</body></html>", contentType: "text/html" },
    error: { code: "OJ_ENGINE_PROTOCOL" },
  },
  {
    name: "an error object after some text",
    reply: { text: "par", streamError: "quota" },
    error: { code: "OJ_ENGINE_RATE_LIMIT", message: /quota/ },
  },
  {
    name: "an error object after some text, of the server",
    reply: { text: "par", streamError: "the model crashed" },
    error: { code: "OJ_ENGINE_SERVER", message: /the model crashed/ },
  },
  {
    name: "a request that is refused",
    reply: { error: "bad_request" },
    error: { code: "OJ_ENGINE_BAD_REQUEST", message: /temperature/ },
  },
  {
    name: "a conversation that is too long",
    reply: { error: "context_length" },
    error: { code: "OJ_ENGINE_CONTEXT_LENGTH" },
  },
  { name: "a wrong key", reply: { error: "unauthorized" }, error: { code: "OJ_ENGINE_AUTH" } },
  { name: "a key without the right", reply: { error: "forbidden" }, error: { code: "OJ_ENGINE_AUTH" } },
  {
    name: "a model that is missing",
    reply: { error: "model_missing" },
    error: { code: "OJ_ENGINE_MODEL_MISSING", message: /test-model/ },
  },
  { name: "a rate limit", reply: { error: "rate_limited" }, error: { code: "OJ_ENGINE_RATE_LIMIT" } },
  { name: "a server that fails", reply: { error: "server_error" }, error: { code: "OJ_ENGINE_SERVER" } },
  {
    name: "a server with too much to do",
    reply: { error: "overloaded" },
    error: { code: "OJ_ENGINE_SERVER" },
  },
  {
    name: "a failure without a body",
    reply: { error: { status: 500 } },
    error: { code: "OJ_ENGINE_SERVER", message: /500/ },
  },
  {
    name: "a failure with a web page",
    reply: { error: { status: 502, body: "<html>Bad Gateway</html>" } },
    error: { code: "OJ_ENGINE_SERVER", message: /Bad Gateway/ },
  },
  {
    name: "a path that does not exist",
    reply: { error: { status: 404, body: "404 page not found" } },
    error: { code: "OJ_ENGINE_PROTOCOL" },
  },
  {
    name: "a redirect",
    reply: { error: { status: 307, headers: { location: "http://example.invalid/" } } },
    error: { code: "OJ_ENGINE_PROTOCOL", message: /redirects to http:\/\/example\.invalid/ },
  },
];
