import type { ResolvedOptions } from "./options.js";

const basic = new Set(["accept", "content-type", "user-agent"]);

/**
 * The headers of a request from those the client made. What describes this machine (`x-stainless-…`) is left out; what
 * the client took from the OPENAI_… variables goes to the engine `openai` alone; without a key no key is sent.
 */
export function requestHeaders(
  made: RequestInit["headers"],
  { engineId, apiKey, headers }: Pick<ResolvedOptions, "engineId" | "apiKey" | "headers">,
): Record<string, string> {
  const sent: Record<string, string> = {};
  new Headers(made).forEach((value, name) => {
    if (engineId === "openai" ? !name.startsWith("x-stainless-") : basic.has(name)) sent[name] = value;
  });
  if (apiKey === undefined) delete sent.authorization;
  else sent.authorization ??= `Bearer ${apiKey}`;
  for (const [name, value] of Object.entries(headers)) sent[name.toLowerCase()] = value;
  return sent;
}
