import {
  collect,
  type InferenceOptions,
  type InferenceResult,
  type Message,
  type OpenAIFunction,
} from "@openjarvis/core";
import { type DoubleServer, type OllamaDoubleOptions, startOllamaDouble } from "@openjarvis/testing";
import { onTestFinished } from "vitest";
import { OllamaEngine, type OllamaEngineOptions } from "../../src/index.js";

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
  double: OllamaDoubleOptions = {},
  options: OllamaEngineOptions = {},
): Promise<{ ollama: DoubleServer; engine: OllamaEngine }> {
  const ollama = await startOllamaDouble(double);
  const engine = new OllamaEngine({ host: ollama.url, ...options });
  onTestFinished(async () => {
    await engine.close();
    await ollama.close();
  });
  return { ollama, engine };
}

export function ask(
  engine: OllamaEngine,
  options: Partial<InferenceOptions> = {},
  messages: readonly Message[] = hello,
): Promise<InferenceResult> {
  return collect(engine.stream(messages, { model: "test-model", ...options }), "test-model");
}

/** The bodies `/api/chat` was sent. */
export function chatBodies(ollama: DoubleServer): Record<string, unknown>[] {
  return ollama.requests
    .filter(({ path }) => path === "/api/chat")
    .map(({ body }) => body as Record<string, unknown>);
}
