import { describe, expect, onTestFinished, test } from "vitest";
import { type DoubleServer, type OpenAIDoubleOptions, startOpenAIDouble } from "../../src/index.js";

async function start(options: OpenAIDoubleOptions = {}): Promise<DoubleServer> {
  const double = await startOpenAIDouble(options);
  onTestFinished(() => double[Symbol.asyncDispose]());
  return double;
}

function post(
  double: DoubleServer,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${double.url}${path}`, { method: "POST", body: JSON.stringify(body), headers });
}

function events(text: string): unknown[] {
  return text
    .split("\n\n")
    .filter((event) => event !== "")
    .map((event) => {
      const data = event.replace(/^data: /, "");
      return data === "[DONE]" ? data : (JSON.parse(data) as unknown);
    });
}

const path = "/v1/chat/completions";
const user = { role: "user", content: "hi" };
const chat = { model: "test-model", messages: [user] };
const streamed = { ...chat, stream: true };

function call(id: string, args: unknown = "{}"): object {
  return { id, type: "function", function: { name: "f", arguments: args } };
}

describe("the OpenAI double", () => {
  test("streams events: an opening, pieces, a finish, usage when it is wanted, and [DONE]", async () => {
    const double = await start({ replies: [{ text: ["a", "b"] }, { text: "a" }] });
    const response = await post(double, path, { ...streamed, stream_options: { include_usage: true } });
    expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    const chunks = events(await response.text());
    const deltas = chunks.slice(0, 4).map((chunk) => (chunk as { choices: object[] }).choices[0]);
    expect(deltas).toMatchObject([
      { delta: { role: "assistant", content: "" }, finish_reason: null },
      { delta: { content: "a" }, finish_reason: null },
      { delta: { content: "b" }, finish_reason: null },
      { delta: {}, finish_reason: "stop" },
    ]);
    expect(chunks[4]).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    });
    expect(chunks[5]).toBe("[DONE]");
    const plain = await (await post(double, path, streamed)).text();
    expect(plain).not.toContain("usage");
    await double.close();
  });

  test("streams a call as its name first and its arguments in fragments", async () => {
    const double = await start({
      replies: [{ toolCalls: [{ name: "f", arguments: { a: 1 }, fragments: 3 }] }],
    });
    const chunks = events(await (await post(double, path, streamed)).text());
    const calls = chunks.flatMap((chunk) => {
      const [choice] = (chunk as { choices?: { delta: { tool_calls?: object[] } }[] }).choices ?? [];
      return choice?.delta.tool_calls ?? [];
    });
    expect(calls).toEqual([
      { index: 0, id: "call_1", type: "function", function: { name: "f", arguments: "" } },
      { index: 0, function: { arguments: '{"a"' } },
      { index: 0, function: { arguments: ":1}" } },
    ]);
    expect(chunks.at(-2)).toMatchObject({ choices: [{ finish_reason: "tool_calls" }] });
  });

  test("answers with one document by default, text null beside calls", async () => {
    const double = await start({
      replies: [{ toolCalls: [{ name: "f", id: null }] }, { text: "a", reasoning: "hm" }],
    });
    expect(await (await post(double, path, chat)).json()).toMatchObject({
      choices: [
        {
          message: {
            content: null,
            tool_calls: [{ id: null, type: "function", function: { name: "f", arguments: "{}" } }],
          },
          finish_reason: "tool_calls",
        },
      ],
    });
    expect(await (await post(double, path, chat)).json()).toMatchObject({
      choices: [{ message: { content: "a", reasoning_content: "hm" } }],
    });
  });

  test.each<[string, object, RegExp]>([
    ["no model", { messages: [user] }, /model/],
    ["no messages", { ...chat, messages: [] }, /messages/],
    ["an empty tool list", { ...chat, tools: [] }, /tools/],
    ["null tools", { ...chat, tools: null }, /tools/],
    ["a choice without tools", { ...chat, tool_choice: "auto" }, /tool_choice/],
    ["stream options without a stream", { ...chat, stream_options: {} }, /stream_options/],
    ["both limits", { ...chat, max_tokens: 1, max_completion_tokens: 1 }, /max_completion_tokens/],
    ["null content", { ...chat, messages: [{ role: "user", content: null }] }, /content/],
    ["an unknown role", { ...chat, messages: [{ role: "robot", content: "" }] }, /robot/],
    [
      "an image of an assistant",
      { ...chat, messages: [{ role: "assistant", content: [{ type: "image_url" }] }] },
      /content/,
    ],
    [
      "an empty list of calls",
      { ...chat, messages: [{ role: "assistant", content: "", tool_calls: [] }] },
      /tool_calls/,
    ],
    [
      "arguments that are an object",
      { ...chat, messages: [user, { role: "assistant", content: null, tool_calls: [call("a", {})] }] },
      /arguments': expected a string/,
    ],
    [
      "a call without an id",
      { ...chat, messages: [user, { role: "assistant", content: null, tool_calls: [{ type: "function" }] }] },
      /id/,
    ],
    [
      "a call nobody answered",
      { ...chat, messages: [{ role: "assistant", content: null, tool_calls: [call("a")] }, user] },
      /did not have response messages: a/,
    ],
    [
      "one of two calls nobody answered",
      {
        ...chat,
        messages: [
          { role: "assistant", content: null, tool_calls: [call("a"), call("b")] },
          { role: "tool", tool_call_id: "b", content: "" },
        ],
      },
      /did not have response messages: a/,
    ],
    [
      "an answer to no call",
      { ...chat, messages: [{ role: "tool", tool_call_id: "a", content: "" }] },
      /preceeding message/,
    ],
  ])("refuses what OpenAI refuses: %s", async (_name, body, message) => {
    const double = await start();
    const response = await post(double, path, body);
    expect(response.status).toBe(400);
    expect(((await response.json()) as { error: { message: string } }).error.message).toMatch(message);
  });

  test("takes a history whose calls are all answered", async () => {
    const double = await start({ replies: [{ text: "ok" }] });
    const messages = [
      user,
      { role: "assistant", content: null, tool_calls: [call("a"), call("b")] },
      { role: "tool", tool_call_id: "b", content: "2" },
      { role: "tool", tool_call_id: "a", content: "1" },
      user,
    ];
    expect((await post(double, path, { ...chat, messages })).status).toBe(200);
    await double.close();
  });

  test("asks for the key it was given", async () => {
    const double = await start({ apiKey: "k", replies: [{}] });
    expect((await post(double, path, chat)).status).toBe(401);
    expect((await fetch(`${double.url}/v1/models`)).status).toBe(401);
    expect((await post(double, path, chat, { authorization: "Bearer k" })).status).toBe(200);
  });

  test("knows its models and embeds", async () => {
    const double = await start({ models: [{ id: "a", max_model_len: 5 }, "b"], dimensions: 3 });
    const { data } = (await (await fetch(`${double.url}/v1/models`)).json()) as { data: object[] };
    expect(data).toMatchObject([{ id: "a", max_model_len: 5, object: "model" }, { id: "b" }]);
    expect((await post(double, path, { ...chat, model: "c" })).status).toBe(404);
    const plain = (await (await post(double, "/v1/embeddings", { model: "a", input: "x" })).json()) as {
      data: { embedding: number[] }[];
    };
    const packed = (await (
      await post(double, "/v1/embeddings", { model: "a", input: ["x"], encoding_format: "base64" })
    ).json()) as { data: { embedding: string }[] };
    const bytes = Uint8Array.from(Buffer.from(packed.data[0]?.embedding ?? "", "base64"));
    expect([...new Float32Array(bytes.buffer)]).toEqual(plain.data[0]?.embedding.map(Math.fround));
  });
});
