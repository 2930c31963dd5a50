import { abortedError, errorText, throwIfAborted } from "./errors.js";
import type { BaseTool } from "./tool.js";

/** A tool call that somebody is asked about. */
export interface ToolRequest {
  tool: string;
  /** The tool's own description. */
  description: string;
  /** Checked arguments. */
  arguments: Readonly<Record<string, unknown>>;
  agentId: string;
  callId: string;
  /** Fires when the answer is no longer wanted. */
  signal: AbortSignal | undefined;
}

/** A person's answer: yes, no, or no with a reason that the model reads. */
export type ConfirmAnswer = boolean | { allow: boolean; reason?: string };

/** Asks a person whether a call may run. */
export type ConfirmCallback = (request: ToolRequest) => ConfirmAnswer | Promise<ConfirmAnswer>;

/** What a policy says of a call: run it, refuse it, or ask a person first. */
export type PolicyDecision =
  | "allow"
  | "deny"
  | "confirm"
  | { decision: "allow" | "deny" | "confirm"; reason?: string };

/** Decides about calls before anybody is asked. It can only tighten: a tool that asks for confirmation keeps asking. */
export type ToolPolicy = (request: ToolRequest) => PolicyDecision | Promise<PolicyDecision>;

/** Whether a call may run; if not, what the model is told. */
export type Permission = { allowed: true } | { allowed: false; message: string };

const allowed: Permission = { allowed: true };

/** Asks the policy and then, where it or the tool wants it, a person. What throws is a refusal: security fails closed. */
export async function askPermission(
  tool: BaseTool,
  request: ToolRequest,
  policy: ToolPolicy | undefined,
  confirm: ConfirmCallback | undefined,
): Promise<Permission> {
  let mustConfirm = tool.spec.requiresConfirmation === true;
  if (policy !== undefined) {
    const answer = await settle(() => policy(request), request.signal);
    if (!answer.ok) return refused(request, `the policy check failed: ${answer.error}`);
    const { decision, reason } =
      typeof answer.value === "object" && answer.value !== null ? answer.value : { decision: answer.value };
    if (decision === "confirm") mustConfirm = true;
    else if (decision !== "allow") return refused(request, reason ?? "the policy does not allow it");
  }
  if (!mustConfirm) return allowed;
  if (confirm === undefined) {
    return refused(request, "it requires confirmation, and there is nobody to ask");
  }
  const answer = await settle(() => confirm(request), request.signal);
  if (!answer.ok) return refused(request, `asking for confirmation failed: ${answer.error}`);
  if (answer.value === true) return allowed;
  const verdict = typeof answer.value === "object" && answer.value !== null ? answer.value : { allow: false };
  if (verdict.allow === true) return allowed;
  return refused(
    request,
    verdict.reason === undefined ? "denied by user" : `denied by user: ${verdict.reason}`,
  );
}

function refused(request: ToolRequest, reason: string): Permission {
  return { allowed: false, message: `Tool "${request.tool}" was not run: ${reason}.` };
}

type Settled<T> = { ok: true; value: T } | { ok: false; error: string };

/** Waits for an answer, but no longer than the signal allows; the wait for a person must be cancellable. */
async function settle<T>(ask: () => T | Promise<T>, signal: AbortSignal | undefined): Promise<Settled<T>> {
  let stop = () => {};
  try {
    // Nobody is asked about a call that is already cancelled.
    throwIfAborted(signal);
    const answer = ask();
    const aborted = new Promise<never>((_resolve, reject) => {
      if (signal === undefined) return;
      const fire = () => reject(abortedError(signal));
      if (signal.aborted) fire();
      signal.addEventListener("abort", fire, { once: true });
      stop = () => signal.removeEventListener("abort", fire);
    });
    return { ok: true, value: await Promise.race([answer, aborted]) };
  } catch (error) {
    return { ok: false, error: errorText(error) };
  } finally {
    stop();
  }
}
