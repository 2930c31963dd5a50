// What happens while a question is answered. Several questions at once are told apart by the run's id.
import { Jarvis } from "openjarvis";

const jarvis = new Jarvis({ engine: "rules" });
jarvis.bus.subscribe("TOOL_CALL_START", ({ runId, data }) => {
  console.log(`${runId}: ${data.tool} is called with ${JSON.stringify(data.arguments)}`);
});
jarvis.bus.subscribe("TOOL_CALL_END", ({ runId, data }) => {
  console.log(`${runId}: ${data.tool} says ${data.result}`);
});
jarvis.bus.subscribe("AGENT_TURN_END", ({ runId, data }) => {
  console.log(`${runId}: ${data.agent} is done after ${data.turns} turns`);
});
try {
  await Promise.all(
    ["What is 6 * 7?", "What is 15% of 340?"].map((query, index) =>
      jarvis.askFull(query, { agent: "orchestrator", tools: ["calculator"], runId: `run-${index + 1}` }),
    ),
  );
} finally {
  await jarvis.close();
}
