import { checkOptionKeys, JarvisError, type Message } from "@openjarvis/core";
import type { AgentRequest } from "./agent-factory.js";
import type { AskOptions } from "./options.js";

const askKeys: readonly (keyof AskOptions)[] = [
  "agent",
  "tools",
  "model",
  "engine",
  "temperature",
  "maxTokens",
  "maxTurns",
  "systemPrompt",
  "history",
  "images",
  "agentOptions",
  "confirm",
  "signal",
  "runId",
];

/** Throws `OJ_OPTION` for a query or options that mean nothing. */
export function checkAsk(query: string, options: AskOptions): void {
  checkOptionKeys("ask", options, askKeys);
  if (typeof query !== "string" || (query.trim() === "" && (options.images ?? []).length === 0)) {
    throw new JarvisError("OJ_OPTION", "The query must be a text that is not empty.");
  }
  for (const key of ["tools", "history", "images"] as const) {
    if (options[key] === undefined || Array.isArray(options[key])) continue;
    throw new JarvisError("OJ_OPTION", `The option "${key}" must be a list.`);
  }
}

/** The options that go to the agent as they are. */
export function agentOptionsOf(
  options: AskOptions,
): Omit<AgentRequest, "agent" | "engine" | "model" | "tools"> {
  const { temperature, maxTokens, maxTurns, systemPrompt, agentOptions, confirm } = options;
  return { temperature, maxTokens, maxTurns, systemPrompt, agentOptions, confirm };
}

/**
 * The messages before the query.
 *
 * @param configured the config's system prompt; one of the messages, since agents have prompts of their own
 */
export function conversationOf(options: AskOptions, configured: string | undefined): Message[] {
  const { history = [], systemPrompt } = options;
  const prompt = systemPrompt === undefined ? (configured ?? "") : "";
  const messages: Message[] = prompt === "" ? [] : [{ role: "system", content: prompt }];
  return [...messages, ...history];
}

/** The images of an ask, as messages carry them. */
export function imagesOf({ images }: AskOptions): string[] | undefined {
  return images?.map(withoutPrefix);
}

function withoutPrefix(image: string): string {
  return image.replace(/^data:[^,]*;base64,/, "");
}
