import type { Message } from "@openjarvis/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { argumentsObject } from "../src/chat-request.js";
import { ask, calculator, chatBodies, setUp } from "./support/setup.js";

describe("the request", () => {
  test("carries messages, window and limits as Ollama names them", async () => {
    const { ollama, engine } = await setUp(
      { replies: [{ text: "ok" }] },
      { think: true, keepAlive: "10m", modelOptions: { seed: 7, temperature: 9 } },
    );
    await ask(engine, { temperature: 0.2, maxTokens: 50, stop: ["END"], tools: [calculator] }, [
      { role: "system", content: "Be brief." },
      { role: "user", content: "hi" },
    ]);
    expect(chatBodies(ollama)).toEqual([
      {
        model: "test-model",
        messages: [
          { role: "system", content: "Be brief." },
          { role: "user", content: "hi" },
        ],
        stream: true,
        think: true,
        keep_alive: "10m",
        options: { seed: 7, num_ctx: 8192, temperature: 0.2, num_predict: 50, stop: ["END"] },
        tools: [calculator],
      },
    ]);
  });

  test("has no empty lists and no settings nobody made", async () => {
    const { ollama, engine } = await setUp({ replies: [{ text: "ok" }] });
    await ask(engine, { tools: [], stop: [] });
    expect(Object.keys(chatBodies(ollama)[0] ?? {}).sort()).toEqual([
      "messages",
      "model",
      "options",
      "stream",
    ]);
    expect(chatBodies(ollama)[0]?.options).toEqual({ num_ctx: 8192 });
  });

  test("sends images as plain base64, also when they look like a path", async () => {
    const { ollama, engine } = await setUp({
      models: [{ name: "test-model", capabilities: ["completion", "vision"] }],
      replies: [{ text: "a cat" }],
    });
    const result = await ask(engine, {}, [
      { role: "user", content: "what?", images: ["iVBORw0KGgo=", "/etc/hosts=="] },
    ]);
    expect(result.warnings).toEqual([]);
    expect(chatBodies(ollama)[0]?.messages).toEqual([
      { role: "user", content: "what?", images: ["iVBORw0KGgo=", "/etc/hosts=="] },
    ]);
  });

  test("warns when images go to a model that cannot see", async () => {
    const { engine } = await setUp({ replies: [{ text: "?" }] });
    const result = await ask(engine, {}, [{ role: "user", content: "what?", images: ["iVBORw0KGgo="] }]);
    expect(result.warnings).toEqual(['The model "test-model" cannot see images.']);
  });

  test("sends the headers of the options", async () => {
    const { ollama, engine } = await setUp({ replies: [{}] }, { headers: { authorization: "Bearer proxy" } });
    await ask(engine);
    expect(ollama.requests.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer proxy",
      "Bearer proxy",
    ]);
  });
});

describe("the history of a tool-calling run", () => {
  test("has arguments as objects and names the tool that answers", async () => {
    const { ollama, engine } = await setUp({
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
    const [call] = first.toolCalls;
    expect(call).toMatchObject({ name: "calculator", arguments: '{"expression":"2*3"}' });
    messages.push({
      role: "assistant",
      content: null,
      reasoning: first.reasoning,
      toolCalls: first.toolCalls,
    });
    messages.push({ role: "tool", content: "6", toolCallId: call?.id ?? "" });
    const second = await ask(engine, { tools: [calculator] }, messages);
    expect(second.content).toBe("6");
    expect(chatBodies(ollama)[1]?.messages).toEqual([
      { role: "user", content: "2*3?" },
      {
        role: "assistant",
        content: "",
        thinking: "I calculate.",
        tool_calls: [{ function: { name: "calculator", arguments: { expression: "2*3" } } }],
      },
      { role: "tool", content: "6", tool_name: "calculator" },
    ]);
  });

  test("keeps the name a tool message has itself", async () => {
    const { ollama, engine } = await setUp({ replies: [{ text: "ok" }] });
    await ask(engine, {}, [
      { role: "user", content: "x" },
      { role: "tool", name: "think", content: "done", toolCallId: "unknown" },
    ]);
    expect(chatBodies(ollama)[0]?.messages).toContainEqual({
      role: "tool",
      content: "done",
      tool_name: "think",
    });
  });
});

describe("arguments from the history", () => {
  test.each([
    ["", {}],
    ["  ", {}],
    ["{}", {}],
    ['{"a":{"b":[1]}}', { a: { b: [1] } }],
    ['"{\\"a\\":1}"', { a: 1 }],
    ["null", {}],
    ["[1,2]", { arguments: [1, 2] }],
    ["5", { arguments: 5 }],
    ['{"a":', { arguments: '{"a":' }],
    ['"just text"', { arguments: "just text" }],
  ])("%j becomes an object", (text, expected) => {
    expect(argumentsObject(text)).toEqual(expected);
  });

  test("are an object whatever the text, and the same one for JSON of an object", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const value = argumentsObject(text);
        expect(typeof value === "object" && value !== null && !Array.isArray(value)).toBe(true);
      }),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        expect(argumentsObject(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
