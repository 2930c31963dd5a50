import { isJarvisError } from "@openjarvis/core";
import type { DoubleReply } from "@openjarvis/testing";
import { describe, expect, test } from "vitest";
import { OpenAIEngine } from "../src/index.js";
import { ask, calculator, chatBodies, setUp } from "./support/setup.js";

function refusal(message: string, param: string | null = null, status = 400): DoubleReply {
  return {
    error: { status, body: { error: { message, type: "invalid_request_error", param, code: null } } },
  };
}

describe("a part of the request that the server refuses", () => {
  test.each([
    "test-model does not support tools.",
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    "Function calling is not enabled for models/test-model",
    "`tools` is not supported by this model",
    "This model doesn't support function calling",
  ])("is left out once for tools: %s", async (message) => {
    const { server, engine } = await setUp({
      replies: [refusal(message), { text: "hi" }, { text: "again" }],
    });
    const result = await ask(engine, { tools: [calculator] });
    expect(result.content).toBe("hi");
    expect(result.warnings).toEqual([
      'The model "test-model" cannot call tools on this server; it was asked without them.',
    ]);
    const next = await ask(engine, { tools: [calculator] });
    expect(next).toMatchObject({ content: "again", warnings: result.warnings });
    expect(chatBodies(server).map(({ tools }) => tools !== undefined)).toEqual([true, false, false]);
  });

  test.each([
    { message: "tools param requires --jinja flag", status: 500 },
    { message: "No endpoints found that support tool use.", status: 404 },
  ])("is left out for tools also with status $status", async ({ message, status }) => {
    const { engine } = await setUp({ replies: [refusal(message, null, status), { text: "hi" }] });
    expect((await ask(engine, { tools: [calculator] })).content).toBe("hi");
  });

  test("can be several, each once, and is right from the start the next time", async () => {
    const { server, engine } = await setUp({
      replies: [
        refusal(
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
          "max_tokens",
        ),
        refusal(
          "Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) value is supported.",
          "temperature",
        ),
        refusal("Unsupported parameter: 'stop' is not supported with this model.", "stop"),
        { text: "first" },
        { text: "second" },
      ],
    });
    const options = { temperature: 0.7, maxTokens: 5, stop: ["END"] };
    const result = await ask(engine, options);
    expect(result.content).toBe("first");
    expect(result.warnings).toEqual([
      'The model "test-model" takes no temperature; it was asked without one.',
      'The model "test-model" takes no stop texts; it was asked without them.',
    ]);
    expect(await ask(engine, options)).toMatchObject({ content: "second", warnings: result.warnings });
    const last = chatBodies(server).slice(-2);
    expect(last[0]).toEqual(last[1]);
    expect(last[1]).toMatchObject({ max_completion_tokens: 5 });
    for (const field of ["max_tokens", "temperature", "stop"]) expect(last[1]).not.toHaveProperty(field);
  });

  test("can be the wish for usage, which nobody needs to hear about", async () => {
    const body = {
      detail: [
        { type: "extra_forbidden", loc: ["body", "stream_options"], msg: "Extra inputs are not permitted" },
      ],
    };
    const { server, engine } = await setUp({
      replies: [{ error: { status: 422, body } }, { text: "hi", usage: null }],
    });
    expect(await ask(engine)).toMatchObject({ content: "hi", warnings: [] });
    expect(chatBodies(server)[1]).not.toHaveProperty("stream_options");
  });

  test.each([
    refusal("Invalid value for 'temperature': must be at most 2.", "temperature"),
    refusal(
      "max_tokens is too large: 99999. This model supports at most 4096 completion tokens.",
      "max_tokens",
    ),
    refusal(
      "Invalid schema for function 'calculator': 'uri' is not supported.",
      "tools[0].function.parameters",
    ),
    refusal("Something else is not supported."),
  ])("is not guessed from another 400", async (reply) => {
    const { server, engine } = await setUp({ replies: [reply] });
    const answer = ask(engine, { temperature: 0.7, maxTokens: 9, stop: ["x"], tools: [calculator] });
    await expect(answer).rejects.toMatchObject({ code: "OJ_ENGINE_BAD_REQUEST" });
    expect(chatBodies(server)).toHaveLength(1);
  });

  test("is not tried for ever", async () => {
    const { engine } = await setUp({
      replies: [{ error: "tools_unsupported" }, { error: "tools_unsupported" }],
    });
    await expect(ask(engine, { tools: [calculator] })).rejects.toMatchObject({
      code: "OJ_ENGINE_BAD_REQUEST",
    });
  });
});

describe("trying again", () => {
  test("does not happen on a server of one's own", async () => {
    const { server, engine } = await setUp({ replies: [{ error: "overloaded" }] });
    await expect(ask(engine)).rejects.toMatchObject({ code: "OJ_ENGINE_SERVER" });
    expect(chatBodies(server)).toHaveLength(1);
  });

  test("waits as long as the server says, and says so", async () => {
    const limited = {
      status: 429,
      body: { error: { message: "slow down" } },
      headers: { "retry-after": "0" },
    };
    const { server, engine } = await setUp(
      { replies: [{ error: limited }, { error: { status: 503 } }, { text: "hi" }] },
      { maxRetries: 2 },
    );
    const result = await ask(engine);
    expect(result.content).toBe("hi");
    expect(result.warnings).toHaveLength(2);
    expect(result.warnings[0]).toMatch(/slow down.*Asked again after 0\.0 s/);
    expect(chatBodies(server)).toHaveLength(3);
  });

  test.each<[string, DoubleReply]>([
    [
      "a used-up quota",
      {
        error: {
          status: 429,
          body: { error: { message: "You exceeded your quota", code: "insufficient_quota" } },
        },
      },
    ],
    ["a wait that is too long", { error: { status: 429, headers: { "retry-after": "3600" } } }],
    ["a request that is wrong", { error: "bad_request" }],
    ["a wrong key", { error: "unauthorized" }],
    ["an answer that began", { text: ["a", "b"], faults: { closeAfter: 2 } }],
  ])("is no use for %s", async (_name, reply) => {
    const { server, engine } = await setUp({ replies: [reply] }, { maxRetries: 3 });
    await expect(ask(engine)).rejects.toSatisfy((error) => isJarvisError(error));
    expect(chatBodies(server)).toHaveLength(1);
  });

  test("can be cancelled while it waits", async () => {
    const limited = { status: 429, headers: { "retry-after": "50" } };
    const { engine } = await setUp({ replies: [{ error: limited }] }, { maxRetries: 1 });
    const controller = new AbortController();
    const stream = async (): Promise<void> => {
      for await (const delta of engine.stream([{ role: "user", content: "hi" }], {
        model: "test-model",
        signal: controller.signal,
      })) {
        expect(delta.type).toBe("warning");
        setTimeout(() => controller.abort(), 10);
      }
    };
    await expect(stream()).rejects.toMatchObject({ code: "OJ_ABORTED" });
  });
});

describe("what a person is told", () => {
  test.each([
    ["vllm", /^vLLM does not answer at http:\/\/127\.0\.0\.1:9: connect ECONNREFUSED/, /vllm serve/],
    ["sglang", /^SGLang does not answer/, /sglang\.launch_server/],
    ["llamacpp_server", /^llama\.cpp server does not answer/, /llama-server/],
    ["lmstudio", /^LM Studio does not answer/, /lms server start/],
    ["openai", /^OpenAI does not answer/, /--engine/],
    ["my-proxy", /^my-proxy does not answer/, /base URL/],
  ])("when nothing listens for %s", async (engineId, message, hint) => {
    const engine = new OpenAIEngine({ engineId, baseUrl: "127.0.0.1:9" });
    await expect(ask(engine)).rejects.toMatchObject({
      code: "OJ_ENGINE_UNREACHABLE",
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    });
    expect(await engine.health()).toMatchObject({ ok: false, address: "http://127.0.0.1:9" });
    await engine.close();
  });

  test("when a hosted service has no key, before anything is sent", async () => {
    const engine = new OpenAIEngine({ baseUrl: "https://api.example.com", engineId: "example" });
    expect(engine.hosted).toBe(true);
    await expect(ask(engine)).rejects.toMatchObject({
      code: "OJ_ENGINE_AUTH",
      message: expect.stringMatching(/needs an API key/),
      hint: "Set EXAMPLE_API_KEY, or `apiKey` of the engine.",
    });
    expect(await engine.health()).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/needs an API key/),
    });
    await engine.close();
  });

  test("when the key is wrong, without the key", async () => {
    const body = { error: { message: "Incorrect API key provided: sk-secret-1", code: "invalid_api_key" } };
    const { engine } = await setUp(
      { replies: [{ error: { status: 401, body } }] },
      { apiKey: "sk-secret-1" },
    );
    const error = await ask(engine).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: "OJ_ENGINE_AUTH",
      hint: "Set VLLM_API_KEY, or `apiKey` of the engine.",
    });
    expect(isJarvisError(error) && `${error.message} ${JSON.stringify(error.details)}`).not.toContain(
      "sk-secret-1",
    );
  });

  test("when the model is not there", async () => {
    const { engine } = await setUp();
    await expect(ask(engine, { model: "gpt-9" })).rejects.toMatchObject({
      code: "OJ_ENGINE_MODEL_MISSING",
      message: expect.stringMatching(/^vLLM at .* does not have the model "gpt-9"/),
      hint: "`jarvis model list --engine vllm` shows the models it has.",
    });
  });

  test.each([
    { object: "error", message: "The model `x` does not exist.", type: "NotFoundError", code: 404 },
    { error: { message: "The model `x` does not exist.", type: "NotFoundError", code: 404 } },
  ])("when vLLM says that the model is not there", async (body) => {
    const { engine } = await setUp({ replies: [{ error: { status: 404, body } }] });
    await expect(ask(engine)).rejects.toMatchObject({ code: "OJ_ENGINE_MODEL_MISSING" });
  });

  test("when the conversation is too long for the llama.cpp server", async () => {
    const body = {
      error: {
        code: 400,
        message: "the request exceeds the available context size, try increasing it",
        type: "exceed_context_size_error",
      },
    };
    const { engine } = await setUp({ replies: [{ error: { status: 400, body } }] });
    await expect(ask(engine)).rejects.toMatchObject({ code: "OJ_ENGINE_CONTEXT_LENGTH" });
  });

  test("when the server wants a date's wait", async () => {
    const retryAfter = new Date(Date.now() + 30_000).toUTCString();
    const { engine } = await setUp({
      replies: [{ error: { status: 429, headers: { "retry-after": retryAfter } } }],
    });
    const error = await ask(engine).catch((thrown: unknown) => thrown);
    expect(isJarvisError(error, "OJ_ENGINE_RATE_LIMIT") && error.details.retryAfterSeconds).toBeGreaterThan(
      25,
    );
  });
});
