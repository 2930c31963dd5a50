import { isJarvisError } from "@openjarvis/core";
import type { ChatRequest } from "ollama";

/** A part of a request that not every model can serve. */
export type Feature = "tools" | "think";

/** The part of a request a refusal is about, when the request can be made without it. */
export function refusedFeature(failure: unknown, request: ChatRequest): Feature | undefined {
  if (!isJarvisError(failure, "OJ_ENGINE_BAD_REQUEST")) return undefined;
  const text = String(failure.details.serverMessage);
  if (request.tools !== undefined && /does not support tools/i.test(text)) return "tools";
  if (request.think !== undefined && /does not support think/i.test(text)) return "think";
  return undefined;
}

/** The request without that part. */
export function withoutFeature<R extends ChatRequest>(request: R, feature: Feature): R {
  const { [feature]: _left, ...rest } = request;
  return rest as R;
}
