import {
  collect,
  type InferenceOptions,
  type InferenceResult,
  type Message,
  type OpenAIFunction,
} from "@openjarvis/core";
import { type DoubleServer, type OpenAIDoubleOptions, startOpenAIDouble } from "@openjarvis/testing";
import { onTestFinished } from "vitest";
import { OpenAIEngine, type OpenAIEngineOptions } from "../../src/index.js";

export const calculator: OpenAIFunction = {
  type: "function",
  function: {
    name: "calculator",
    description: "Calculates.",
    parameters: { type: "object", properties: { expression: { type: "string" } }, required: ["expression"] },
  },
};

export const hello: Message[] = [{ role: "user", content: "hi" }];

/** A double and an engine that asks it; both end with the test, and the script must have been used. */
export async function setUp(
  double: OpenAIDoubleOptions = {},
  options: OpenAIEngineOptions = {},
): Promise<{ server: DoubleServer; engine: OpenAIEngine }> {
  const server = await startOpenAIDouble(double);
  const engine = new OpenAIEngine({ engineId: "vllm", baseUrl: server.url, ...options });
  onTestFinished(async () => {
    await engine.close();
    await server.close();
  });
  return { server, engine };
}

export function ask(
  engine: OpenAIEngine,
  options: Partial<InferenceOptions> = {},
  messages: readonly Message[] = hello,
): Promise<InferenceResult> {
  return collect(engine.stream(messages, { model: "test-model", ...options }), "test-model");
}

/** The bodies `/v1/chat/completions` was sent. */
export function chatBodies(server: DoubleServer): Record<string, unknown>[] {
  return server.requests
    .filter(({ path }) => path === "/v1/chat/completions")
    .map(({ body }) => body as Record<string, unknown>);
}
