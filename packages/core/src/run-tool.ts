import { CallContext } from "./call-context.js";
import { abortedError, JarvisError } from "./errors.js";
import type { EventBus } from "./event-bus.js";
import type { RunRef } from "./events.js";
import type { BaseTool } from "./tool.js";
import { completeResult, failureOf } from "./tool-outcome.js";
import { failedResult, type ToolResult } from "./tool-types.js";

/** Node's timers hold at most this many seconds; a longer deadline is none. */
export const maxTimerSeconds = 2_147_483;

/** What one run of a tool needs to know. */
export interface ToolRun {
  callId: string;
  agentId: string;
  run: RunRef;
  bus: EventBus | undefined;
  /** Deadline of a tool that states none, in seconds. */
  timeoutSeconds: number;
  signal: AbortSignal | undefined;
}

/**
 * Runs a tool with checked parameters. Settles with its result, its deadline or the cancellation, whichever comes first;
 * what comes later is ignored. Never rejects.
 */
export function runTool(tool: BaseTool, params: Record<string, unknown>, how: ToolRun): Promise<ToolResult> {
  const { name, timeoutSeconds = how.timeoutSeconds } = tool.spec;
  const { callId, agentId, run, bus, signal } = how;
  let settled = false;
  const emit = (message: string) => {
    if (!settled) bus?.publish("TOOL_PROGRESS", { tool: name, callId, message }, run);
  };
  const context = new CallContext({ params, callId, agentId, runId: run.runId, emit });
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const cancel = () => {
      const error = signal === undefined ? undefined : abortedError(signal);
      settle(failedResult(name, cancelledText(name), "OJ_ABORTED"));
      context.abort(error);
    };
    const settle = (result: ToolResult) => {
      settled = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
      resolve(result);
    };
    if (signal?.aborted) return cancel();
    signal?.addEventListener("abort", cancel, { once: true });
    if (timeoutSeconds <= maxTimerSeconds) {
      timer = setTimeout(() => {
        bus?.publish("TOOL_TIMEOUT", { tool: name, timeout: timeoutSeconds, callId }, run);
        const message = `Tool "${name}" timed out after ${timeoutSeconds} s.`;
        settle(failedResult(name, message, "OJ_TOOL_TIMEOUT"));
        context.abort(new JarvisError("OJ_TOOL_TIMEOUT", message));
      }, timeoutSeconds * 1000);
    }
    start(tool, params, context).then(settle, (error: unknown) => settle(failureOf(name, error)));
  });
}

/** What the model reads of a call that was cancelled. */
export function cancelledText(name: string): string {
  return `Tool "${name}" was cancelled.`;
}

/** Calls the tool. An overridden `execute` may throw before it returns a promise, and return anything. */
function start(tool: BaseTool, params: Record<string, unknown>, context: CallContext): Promise<ToolResult> {
  try {
    return Promise.resolve(tool.execute(params, context)).then((value) =>
      completeResult(tool.spec.name, value),
    );
  } catch (error) {
    return Promise.reject(error);
  }
}
