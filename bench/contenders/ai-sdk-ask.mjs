import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, stepCountIs, tool } from "ai";

const provider = createOpenAICompatible({
  name: "loopback",
  baseURL: process.env.OPENAI_BASE_URL,
  apiKey: "none",
});
const calculator = tool({
  description: "Evaluate a mathematical expression safely.",
  inputSchema: jsonSchema({
    type: "object",
    properties: { expression: { type: "string" } },
    required: ["expression"],
  }),
  execute: async ({ expression }) => {
    const [left, right] = expression.split("+").map(Number);
    return String(left + right);
  },
});
const result = await generateText({
  model: provider.chatModel("m"),
  tools: { calculator },
  prompt: "What is 2+2?",
  stopWhen: stepCountIs(5),
});
console.log(result.text);
