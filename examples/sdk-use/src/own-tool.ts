// A tool of the program's own: a calculator that keeps a record. Its parameters are stated once: the model sees them as
// JSON Schema, `run` gets them checked and typed. Each call must be allowed, which `confirm` does here.
import { defineTool, ToolRegistry } from "@openjarvis/core";
import { CalculatorTool } from "@openjarvis/tool-calculator";
import { Jarvis } from "openjarvis";
import { z } from "zod";

const record: string[] = [];
const calculator = new CalculatorTool();

ToolRegistry.registerValue(
  "recorded_calculator",
  defineTool({
    name: "recorded_calculator",
    description: "Evaluate a mathematical expression and keep a record of it.",
    category: "math",
    requiresConfirmation: true,
    parameters: z.object({
      expression: z.string().max(1_000).describe('Math expression, for example "2+3*4"'),
    }),
    async run({ expression }, { signal }) {
      const { content, success } = await calculator.execute({ expression }, { signal });
      record.push(`${expression} = ${content}`);
      return { content, success };
    },
  }),
);

const jarvis = new Jarvis({
  engine: "rules",
  confirm: ({ tool, arguments: given }) => {
    console.log(`allowed: ${tool} ${JSON.stringify(given)}`);
    return true;
  },
});
try {
  const result = await jarvis.askFull("What is 15% of 340?", {
    agent: "orchestrator",
    tools: ["recorded_calculator"],
  });
  console.log(result.content);
  console.log(`recorded: ${record.join("; ")}`);
} finally {
  await jarvis.close();
}
