import { startOllamaDouble, startOpenAIDouble } from "@openjarvis/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HermeticHome, hermeticHome, jarvisCommand } from "./jarvis-command.js";

/** The documents' run with one calculator call, against each protocol: the same result, bodies as each server wants them. */

let home: HermeticHome;
beforeAll(() => {
  home = hermeticHome();
});
afterAll(() => home.remove());

const replies = [
  { toolCalls: [{ name: "calculator", arguments: { expression: "340 * 15 / 100" } }] },
  { text: ["15% of 340 ", "is 51."] },
];
const question = "What is 15% of 340?";

function command(engine: string): string[] {
  const flags = [
    "--agent",
    "orchestrator",
    "--tools",
    "calculator",
    "--engine",
    engine,
    "--model",
    "test-model",
  ];
  return ["ask", ...flags, "--json", question];
}

const expected = {
  content: "15% of 340 is 51.",
  turns: 2,
  stop_reason: "final",
  model: "test-model",
  tool_results: [{ tool_name: "calculator", content: "51.0", success: true }],
  usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 },
};

describe("a run with one tool call", () => {
  it("speaks Ollama's protocol: arguments are objects, the window is sent", async () => {
    await using server = await startOllamaDouble({ replies });
    const { code, stdout } = await jarvisCommand(command("ollama"), { ...home.env, OLLAMA_HOST: server.url });
    expect(JSON.parse(stdout)).toMatchObject({ ...expected, engine: "ollama" });
    expect(code).toBe(0);
    const [first, second] = server.requests
      .filter(({ path }) => path === "/api/chat")
      .map(({ body }) => body);
    expect(first).toMatchObject({
      model: "test-model",
      stream: true,
      options: { num_ctx: expect.any(Number), num_predict: 1024, temperature: 0.7 },
      messages: [{ role: "user", content: question }],
      tools: [{ type: "function", function: { name: "calculator" } }],
    });
    expect(second).toMatchObject({
      messages: [
        { role: "user" },
        {
          role: "assistant",
          tool_calls: [{ function: { name: "calculator", arguments: { expression: "340 * 15 / 100" } } }],
        },
        { role: "tool", tool_name: "calculator", content: "51.0" },
      ],
    });
  });

  it("speaks OpenAI's protocol: arguments are JSON text, results repeat the id of their call", async () => {
    await using server = await startOpenAIDouble({ replies });
    const env = { ...home.env, OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "a key" };
    const { code, stdout } = await jarvisCommand(command("openai"), env);
    expect(JSON.parse(stdout)).toMatchObject({ ...expected, engine: "openai" });
    expect(code).toBe(0);
    const chats = server.requests.filter(({ path }) => path === "/v1/chat/completions");
    expect(chats.map(({ headers }) => headers.authorization)).toEqual(["Bearer a key", "Bearer a key"]);
    expect(chats[0]?.body).toMatchObject({
      model: "test-model",
      stream: true,
      messages: [{ role: "user", content: question }],
      tools: [{ type: "function", function: { name: "calculator" } }],
    });
    expect(chats[1]?.body).toMatchObject({
      messages: [
        { role: "user" },
        {
          role: "assistant",
          tool_calls: [
            {
              id: "call_1",
              type: "function",
              function: { name: "calculator", arguments: '{"expression":"340 * 15 / 100"}' },
            },
          ],
        },
        { role: "tool", tool_call_id: "call_1", content: "51.0" },
      ],
    });
  });
});
