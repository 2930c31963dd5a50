import { describe, expect, onTestFinished, test } from "vitest";
import { type DoubleServer, type OllamaDoubleOptions, startOllamaDouble } from "../../src/index.js";

async function start(options: OllamaDoubleOptions = {}): Promise<DoubleServer> {
  const double = await startOllamaDouble(options);
  onTestFinished(() => double[Symbol.asyncDispose]());
  return double;
}

function post(double: DoubleServer, path: string, body: unknown): Promise<Response> {
  return fetch(`${double.url}${path}`, { method: "POST", body: JSON.stringify(body) });
}

async function lines(response: Response): Promise<Record<string, unknown>[]> {
  const text = await response.text();
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

const chat = { model: "test-model", messages: [{ role: "user", content: "hi" }] };

describe("the Ollama double", () => {
  test("streams by default: thinking, text, calls, and an end with counts", async () => {
    const double = await start({
      replies: [
        {
          reasoning: "hm",
          text: ["a", "b"],
          toolCalls: [{ name: "calculator", arguments: { expression: "1" } }],
        },
      ],
    });
    const response = await post(double, "/api/chat", chat);
    expect(response.headers.get("content-type")).toBe("application/x-ndjson");
    const chunks = await lines(response);
    expect(chunks.map(({ message, done }) => [message, done])).toEqual([
      [{ role: "assistant", content: "", thinking: "hm" }, false],
      [{ role: "assistant", content: "a" }, false],
      [{ role: "assistant", content: "b" }, false],
      [
        {
          role: "assistant",
          content: "",
          tool_calls: [
            { id: "call_1", function: { index: 0, name: "calculator", arguments: { expression: "1" } } },
          ],
        },
        false,
      ],
      [{ role: "assistant", content: "" }, true],
    ]);
    expect(chunks.at(-1)).toMatchObject({ done_reason: "stop", prompt_eval_count: 10, eval_count: 5 });
    await double.close();
  });

  test("answers with one document when no stream is wanted", async () => {
    const double = await start({ replies: [{ text: ["a", "b"], reasoning: "hm" }] });
    const response = await post(double, "/api/chat", { ...chat, stream: false });
    expect(await response.json()).toMatchObject({ message: { content: "ab", thinking: "hm" }, done: true });
    await double.close();
  });

  test.each([
    [{ ...chat, model: "other" }, 404, "model 'other' not found"],
    [{ ...chat, model: "" }, 400, "model is required"],
    [{ ...chat, messages: "x" }, 400, /cannot unmarshal string/],
    [{ ...chat, messages: [{ role: "robot", content: "" }] }, 400, /invalid role/],
    [
      { ...chat, messages: [{ role: "user", content: [{ type: "text" }] }] },
      400,
      /array into .*messages\.content/,
    ],
    [
      { ...chat, messages: [{ role: "user", content: "x", images: ["data:image/png;base64,AA"] }] },
      400,
      /base64/,
    ],
    [
      {
        ...chat,
        messages: [{ role: "assistant", tool_calls: [{ function: { name: "f", arguments: "{}" } }] }],
      },
      400,
      /string into .*tool_calls\.function\.arguments/,
    ],
  ])("refuses what Ollama refuses: %j", async (body, status, error) => {
    const double = await start({ replies: [{ text: "unused" }] });
    const response = await post(double, "/api/chat", body);
    expect(response.status).toBe(status);
    expect(((await response.json()) as { error: string }).error).toMatch(error);
    expect(() => double.assertUsed()).toThrow(/1 scripted replies were not used/);
  });

  test("refuses tools for a model without them", async () => {
    const double = await start({ models: [{ name: "plain", capabilities: ["completion"] }] });
    const response = await post(double, "/api/chat", {
      ...chat,
      model: "plain",
      tools: [{ type: "function" }],
    });
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: "registry.ollama.ai/library/plain does not support tools" },
    ]);
  });

  test("shows, lists and versions", async () => {
    const double = await start({
      models: [
        "a",
        { name: "b:latest", contextLength: 99, capabilities: ["vision"], parameters: "num_ctx 5", size: 3 },
      ],
      version: "9.9",
    });
    expect(await (await fetch(`${double.url}/api/version`)).json()).toEqual({ version: "9.9" });
    const { models } = (await (await fetch(`${double.url}/api/tags`)).json()) as {
      models: { name: string; size: number }[];
    };
    expect(models.map(({ name, size }) => [name, size])).toEqual([
      ["a", 1_000_000],
      ["b:latest", 3],
    ]);
    expect(await (await post(double, "/api/show", { model: "b" })).json()).toMatchObject({
      capabilities: ["vision"],
      model_info: { "test.context_length": 99 },
      parameters: "num_ctx 5",
    });
    expect((await post(double, "/api/show", { model: "c" })).status).toBe(404);
    expect((await fetch(`${double.url}/nothing`)).status).toBe(404);
  });

  test("pulls what its library has, and embeds the same text alike", async () => {
    const double = await start({ library: ["new"], dimensions: 3 });
    expect((await lines(await post(double, "/api/pull", { model: "new" }))).at(-1)).toEqual({
      status: "success",
    });
    expect((await post(double, "/api/show", { model: "new" })).status).toBe(200);
    expect((await lines(await post(double, "/api/pull", { model: "x" }))).at(-1)).toHaveProperty("error");
    const embed = { model: "new", input: ["a", "b", "a"] };
    const { embeddings } = (await (await post(double, "/api/embed", embed)).json()) as {
      embeddings: number[][];
    };
    expect(embeddings[0]).toEqual(embeddings[2]);
    expect(embeddings[0]).not.toEqual(embeddings[1]);
    expect(embeddings.map(({ length }) => length)).toEqual([3, 3, 3]);
  });
});

describe("what was asked", () => {
  test("is recorded", async () => {
    const double = await start({ replies: [{}] });
    await (await post(double, "/api/chat?x=1", chat)).text();
    await (
      await fetch(`${double.url}/api/chat`, { method: "POST", body: "not json", headers: { "X-A": "b" } })
    ).text();
    expect(double.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      ["POST", "/api/chat?x=1", chat],
      ["POST", "/api/chat", "not json"],
    ]);
    expect(double.requests[1]?.headers["x-a"]).toBe("b");
    expect(await double.requests[0]?.ended).toEqual({ cut: false });
  });

  test("beyond the script fails with a text that names it, and is reported at the end", async () => {
    const double = await start();
    const response = await post(double, "/api/chat", chat);
    expect(response.status).toBe(500);
    expect(((await response.json()) as { error: string }).error).toMatch(
      /no reply left for POST \/api\/chat/,
    );
    await expect(double.close()).rejects.toThrow(/requests without a reply: POST \/api\/chat/);
  });

  test("can be scripted later, and replies that nobody asked for are reported", async () => {
    const double = await start();
    double.script({ text: "late" }, { text: "never" });
    expect((await lines(await post(double, "/api/chat", chat)))[0]).toMatchObject({
      message: { content: "late" },
    });
    await expect(double.close()).rejects.toThrow(/1 scripted replies were not used/);
    await expect(fetch(double.url)).rejects.toThrow();
  });
});
