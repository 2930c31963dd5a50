// The whole result: which tools ran, what they said, how many turns it took and which engine answered.
import { Jarvis } from "openjarvis";

const jarvis = new Jarvis({ engine: "rules" });
try {
  const result = await jarvis.askFull("What is the square root of 144?", {
    agent: "orchestrator",
    tools: ["calculator", "think"],
  });
  console.log(result.content);
  console.log(`${result.turns} turns with ${result.engine}, ended with: ${result.stopReason}`);
  for (const tool of result.toolResults) {
    console.log(`${tool.toolName}: ${tool.content} (success: ${tool.success})`);
  }
} finally {
  await jarvis.close();
}
