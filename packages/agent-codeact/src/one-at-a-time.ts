import { type ConfirmCallback, throwIfAborted } from "@openjarvis/core";

/** A confirmation that asks one question at a time: a program may make many calls at once. */
export function oneAtATime(confirm: ConfirmCallback): ConfirmCallback {
  let last: Promise<unknown> = Promise.resolve();
  return (request) => {
    const answer = last.then(() => {
      // Nobody is asked about a call that was cancelled while it waited.
      throwIfAborted(request.signal);
      return confirm(request);
    });
    last = answer.catch(() => undefined);
    return answer;
  };
}
