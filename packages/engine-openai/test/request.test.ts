import type { Message } from "@openjarvis/core";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { argumentsText, chatBody, toOpenAIMessages } from "../src/chat-request.js";
import { ask, calculator, chatBodies, hello, setUp } from "./support/setup.js";

describe("the request", () => {
  test("carries messages, limits and tools as Chat Completions names them", async () => {
    const { server, engine } = await setUp(
      { replies: [{ text: "ok" }] },
      { modelOptions: { seed: 7, temperature: 9 } },
    );
    await ask(engine, { temperature: 0.2, maxTokens: 50, stop: ["END"], tools: [calculator] }, [
      { role: "system", content: "Be brief." },
      { role: "user", content: "hi" },
    ]);
    expect(chatBodies(server)).toEqual([
      {
        model: "test-model",
        messages: [
          { role: "system", content: "Be brief." },
          { role: "user", content: "hi" },
        ],
        stream: true,
        stream_options: { include_usage: true },
        seed: 7,
        temperature: 0.2,
        max_tokens: 50,
        stop: ["END"],
        tools: [calculator],
      },
    ]);
  });

  test("has no empty lists and no settings nobody made", async () => {
    const { server, engine } = await setUp({ replies: [{ text: "ok" }] });
    await ask(engine, { tools: [], stop: [] });
    expect(Object.keys(chatBodies(server)[0] ?? {}).sort()).toEqual([
      "messages",
      "model",
      "stream",
      "stream_options",
    ]);
  });

  test("names the token limit as OpenAI itself wants it", () => {
    const options = { model: "o4", maxTokens: 9 };
    expect(chatBody(hello, options, { modelOptions: {}, newLimit: true })).toMatchObject({
      max_completion_tokens: 9,
    });
    expect(chatBody(hello, options, { modelOptions: {}, newLimit: true })).not.toHaveProperty("max_tokens");
    expect(chatBody(hello, options, { modelOptions: {}, newLimit: false })).not.toHaveProperty(
      "max_completion_tokens",
    );
  });
});

describe("the history of a tool-calling run", () => {
  test("has arguments as JSON text, calls in the nested shape, and null for no text", async () => {
    const { server, engine } = await setUp({
      replies: [
        {
          text: "",
          reasoning: "I calculate.",
          toolCalls: [{ name: "calculator", arguments: { expression: "2*3" } }],
        },
        { text: "6" },
      ],
    });
    const messages: Message[] = [{ role: "user", content: "2*3?" }];
    const first = await ask(engine, { tools: [calculator] }, messages);
    messages.push({
      role: "assistant",
      content: null,
      reasoning: first.reasoning,
      toolCalls: first.toolCalls,
    });
    messages.push({ role: "tool", content: "6", toolCallId: first.toolCalls[0]?.id ?? "" });
    expect((await ask(engine, { tools: [calculator] }, messages)).content).toBe("6");
    expect(chatBodies(server)[1]?.messages).toEqual([
      { role: "user", content: "2*3?" },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          {
            id: "call_1",
            type: "function",
            function: { name: "calculator", arguments: '{"expression":"2*3"}' },
          },
        ],
      },
      { role: "tool", tool_call_id: "call_1", content: "6" },
    ]);
  });

  test("repeats exactly the id that was made up for a call without one", async () => {
    const { server, engine } = await setUp({
      replies: [{ unstreamed: true, toolCalls: [{ name: "calculator", id: null }] }, { text: "done" }],
    });
    const first = await ask(engine, { tools: [calculator] });
    const id = first.toolCalls[0]?.id ?? "";
    expect(id).not.toBe("");
    await ask(engine, {}, [
      ...hello,
      { role: "assistant", content: first.content, toolCalls: first.toolCalls },
      { role: "tool", content: "1", toolCallId: id },
    ]);
    expect(chatBodies(server)[1]?.messages).toMatchObject([
      {},
      { tool_calls: [{ id }] },
      { tool_call_id: id },
    ]);
  });

  test("keeps text beside calls, and plain assistant turns as text", () => {
    const call = { id: "a", name: "calculator", arguments: "" };
    expect(
      toOpenAIMessages([
        { role: "assistant", content: "let me check", toolCalls: [call] },
        { role: "tool", content: null, toolCallId: "a" },
        { role: "assistant", content: null },
        { role: "assistant", content: "x", toolCalls: [] },
      ]),
    ).toEqual([
      {
        role: "assistant",
        content: "let me check",
        tool_calls: [{ id: "a", type: "function", function: { name: "calculator", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "a", content: "" },
      { role: "assistant", content: "" },
      { role: "assistant", content: "x" },
    ]);
  });
});

describe("images", () => {
  test("are content parts with their media type", () => {
    const images = ["iVBORw0KGgo=", "/9j/4AAQ", "R0lGODlh", "UklGRiQA", "AAAA"];
    expect(toOpenAIMessages([{ role: "user", content: "what?", images }])).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "what?" },
          ...["png", "jpeg", "gif", "webp", "png"].map((type, i) => ({
            type: "image_url",
            image_url: { url: `data:image/${type};base64,${images[i]}` },
          })),
        ],
      },
    ]);
    expect(toOpenAIMessages([{ role: "user", content: "", images: ["AAAA"] }])[0]?.content).toHaveLength(1);
  });

  test("are accepted by the server", async () => {
    const { engine } = await setUp({ replies: [{ text: "a cat" }] });
    const result = await ask(engine, {}, [{ role: "user", content: "what?", images: ["iVBORw0KGgo="] }]);
    expect(result.content).toBe("a cat");
  });

  test("outside user messages are refused, not dropped", async () => {
    const { engine } = await setUp();
    await expect(
      ask(engine, {}, [{ role: "assistant", content: "x", images: ["AAAA"] }]),
    ).rejects.toMatchObject({
      code: "OJ_ENGINE_BAD_REQUEST",
    });
  });
});

describe("arguments from the history", () => {
  test.each([
    ["", "{}"],
    ["  ", "{}"],
    ['{ "a": 1 }', '{ "a": 1 }'],
    ['"{\\"a\\":1}"', '{"a":1}'],
    ["null", "{}"],
    ["[1,2]", '{"arguments":[1,2]}'],
    ['{"a":', '{"arguments":"{\\"a\\":"}'],
  ])("%j become %j", (text, expected) => {
    expect(argumentsText(text)).toBe(expected);
  });

  test("are the JSON text of an object whatever the text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const value: unknown = JSON.parse(argumentsText(text));
        expect(typeof value === "object" && value !== null && !Array.isArray(value)).toBe(true);
      }),
    );
  });
});

describe("headers", () => {
  test("carry a key only when there is one, and nothing about the machine", async () => {
    const { server, engine } = await setUp({ replies: [{}] });
    await ask(engine);
    expect(Object.keys(server.requests[0]?.headers ?? {}).sort()).toEqual([
      "accept",
      "connection",
      "content-length",
      "content-type",
      "host",
      "user-agent",
    ]);
  });

  test("carry the key and the headers of the options", async () => {
    const { server, engine } = await setUp(
      { apiKey: "k", replies: [{}] },
      { apiKey: "k", headers: { "X-Team": "blue" } },
    );
    await ask(engine);
    expect(server.requests[0]?.headers).toMatchObject({ authorization: "Bearer k", "x-team": "blue" });
  });

  test("never carry what is meant for OpenAI to another server", async () => {
    vi.stubEnv("OPENAI_API_KEY", "sk-openai");
    vi.stubEnv("OPENAI_ORG_ID", "org");
    vi.stubEnv("OPENAI_CUSTOM_HEADERS", "x-secret: 1\nauthorization: Bearer sk-openai");
    const other = await setUp({ replies: [{}] });
    await ask(other.engine);
    const keyed = await setUp({ replies: [{}] }, { apiKey: "own" });
    await ask(keyed.engine);
    const openai = await setUp({ replies: [{}] }, { engineId: "openai" });
    await ask(openai.engine);
    vi.unstubAllEnvs();
    expect(JSON.stringify(other.server.requests[0]?.headers)).not.toMatch(/sk-openai|org|secret/);
    expect(keyed.server.requests[0]?.headers.authorization).toBe("Bearer own");
    expect(openai.server.requests[0]?.headers).toMatchObject({
      authorization: "Bearer sk-openai",
      "openai-organization": "org",
      "x-secret": "1",
    });
  });
});
