import type { ChildProcess } from "node:child_process";

const running = new Set<ChildProcess>();

function killAll(): void {
  for (const child of running) child.kill("SIGKILL");
}

/** Ends a process together with this one. A parent that is killed itself is noticed by the process, as a closed pipe. */
export function killAtExit(child: ChildProcess, closed: Promise<void>): void {
  if (running.size === 0) process.on("exit", killAll);
  running.add(child);
  void closed.then(() => {
    running.delete(child);
    if (running.size === 0) process.off("exit", killAll);
  });
}
