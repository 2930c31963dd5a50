// One question, one answer. `engine: "rules"` keeps the example free of any model; leave it out to use yours.
import { Jarvis } from "openjarvis";

const jarvis = new Jarvis({ engine: "rules" });
try {
  const answer = await jarvis.ask("What is 15% of 340?", { agent: "orchestrator", tools: ["calculator"] });
  console.log(answer);
} finally {
  await jarvis.close();
}
