import type { AnyEvent } from "@openjarvis/core";

interface RunState {
  started: boolean;
  ended: boolean;
  openTools: Set<string>;
  openInferences: number;
}

/**
 * What is out of balance in a list of events: starts without an end, ends without a start, second starts and ends,
 * tool and inference calls outside the run they belong to, and a `seq` that does not count up.
 *
 * Events without a run (tools executed by a program, say) are only paired.
 */
export function findImbalances(events: readonly AnyEvent[]): string[] {
  const problems: string[] = [];
  const runs = new Map<string, RunState>();
  let seq = Number.NEGATIVE_INFINITY;
  for (const event of events) {
    if (event.seq <= seq) problems.push(`seq ${event.seq} of ${event.type} does not follow ${seq}`);
    seq = event.seq;
    let run = runs.get(event.runId);
    if (run === undefined) {
      run = { started: false, ended: false, openTools: new Set(), openInferences: 0 };
      runs.set(event.runId, run);
    }
    const problem = follow(run, event);
    if (problem !== "") problems.push(`${describe(event)} ${problem}`);
  }
  for (const [runId, run] of runs) {
    const name = runId === "" ? "events outside a run" : `run ${runId}`;
    if (run.started && !run.ended) problems.push(`${name}: AGENT_TURN_START without AGENT_TURN_END`);
    for (const callId of run.openTools) {
      problems.push(`${name}: TOOL_CALL_START of ${callId} without TOOL_CALL_END`);
    }
    if (run.openInferences > 0) {
      problems.push(`${name}: ${run.openInferences} INFERENCE_START without INFERENCE_END`);
    }
  }
  return problems;
}

/** Takes one event into account; returns what is wrong with it, or an empty text. */
function follow(run: RunState, event: AnyEvent): string {
  switch (event.type) {
    case "AGENT_TURN_START":
      if (run.started) return "starts a run a second time";
      run.started = true;
      return "";
    case "AGENT_TURN_END":
      if (!run.started) return "ends a run that never started";
      if (run.ended) return "ends a run a second time";
      run.ended = true;
      if (run.openTools.size > 0) return "comes while a tool call is open";
      return run.openInferences > 0 ? "comes while an inference call is open" : "";
    case "TOOL_CALL_START": {
      const { callId } = event.data;
      if (run.openTools.has(callId)) return `starts the call ${callId}, which is open already`;
      run.openTools.add(callId);
      return outside(run);
    }
    case "TOOL_CALL_END":
      if (!run.openTools.delete(event.data.callId))
        return `ends the call ${event.data.callId}, which is not open`;
      return outside(run);
    case "INFERENCE_START":
      run.openInferences += 1;
      return outside(run);
    case "INFERENCE_END":
      if (run.openInferences === 0) return "ends an inference call that never started";
      run.openInferences -= 1;
      return outside(run);
    default:
      return "";
  }
}

function outside(run: RunState): string {
  return run.ended ? "comes after the run has ended" : "";
}

function describe(event: AnyEvent): string {
  return event.runId === "" ? event.type : `run ${event.runId}: ${event.type}`;
}
