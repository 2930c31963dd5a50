import { setTimeout as sleep } from "node:timers/promises";
import { abortedError, isJarvisError } from "@openjarvis/core";

const firstWaitSeconds = 0.5;
const longestWaitSeconds = 60;
const passing = new Set([0, 429, 500, 502, 503, 504, 529]);

/**
 * Seconds to wait before a failed call is made again, or undefined when making it again is no use: only rate limits,
 * overloaded servers and lost connections pass by themselves.
 */
export function retryWait(
  failure: unknown,
  attempt: number,
  random: () => number = Math.random,
): number | undefined {
  if (
    !isJarvisError(
      failure,
      "OJ_ENGINE_RATE_LIMIT",
      "OJ_ENGINE_SERVER",
      "OJ_ENGINE_UNREACHABLE",
      "OJ_ENGINE_PROTOCOL",
    )
  ) {
    return undefined;
  }
  const { status = 0, serverCode = "", serverMessage = "", systemCode, retryAfterSeconds } = failure.details;
  if (failure.code === "OJ_ENGINE_PROTOCOL" && systemCode === undefined) return undefined;
  if (!passing.has(Number(status)) || /quota|billing/i.test(`${String(serverCode)} ${String(serverMessage)}`))
    return undefined;
  if (typeof retryAfterSeconds === "number") {
    return retryAfterSeconds <= longestWaitSeconds ? retryAfterSeconds : undefined;
  }
  return Math.min(firstWaitSeconds * 2 ** attempt, longestWaitSeconds) * (1 + random() / 4);
}

/** Waits; a signal ends the wait with `OJ_ABORTED`. */
export async function waitSeconds(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(seconds * 1000, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    throw signal?.aborted ? abortedError(signal) : error;
  }
}
