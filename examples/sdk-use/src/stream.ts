// The answer as it arrives. Leaving the loop, or a deadline, cancels the run.
import { Jarvis } from "openjarvis";

const jarvis = new Jarvis({ engine: "rules" });
try {
  const pieces = jarvis.askStream("What is 3 * 14?", {
    agent: "orchestrator",
    tools: ["calculator"],
    signal: AbortSignal.timeout(30_000),
  });
  for await (const piece of pieces) process.stdout.write(piece);
  process.stdout.write("\n");
} finally {
  await jarvis.close();
}
