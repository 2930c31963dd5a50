import { defineTool, type Message, type OpenAIFunction } from "@openjarvis/core";
import { describe, expect, it } from "vitest";
import { RulesEngine } from "../src/rules-engine.js";
import { assistant, calculator, expressionsOf, play, think, user } from "./driver.js";

const engine = new RulesEngine();
const options = { model: "rules" };

function called(expression: string, result: string, id = "c1"): Message[] {
  const toolCalls = [{ id, name: "calculator", arguments: JSON.stringify({ expression }) }];
  return [
    { role: "assistant", content: null, toolCalls },
    { role: "tool", content: result, toolCallId: id, name: "calculator" },
  ];
}

describe("tools", () => {
  it("takes the calculator and never thinks", async () => {
    const played = await play("What is sqrt(256)?", { tools: [think, calculator] });
    expect(played.calls).toEqual([{ name: "calculator", arguments: { expression: "sqrt(256)" } }]);
  });

  it("knows a calculator of another name by its one required text, the expression", async () => {
    const tool = defineTool({
      name: "evaluate_math",
      description: "Evaluates.",
      parameters: {
        type: "object",
        properties: { expression: { type: "string" }, digits: { type: "integer" } },
        required: ["expression"],
      },
      run: ({ expression }) => `The result of ${expression} is 4.`,
    });
    const played = await play("2+2", { tools: [think, tool] });
    expect(played.calls).toEqual([{ name: "evaluate_math", arguments: { expression: "2 + 2" } }]);
    expect(played.answer).toBe("2 + 2 = 4");
  });

  it("uses the only required text of a calculator whose parameter has another name", async () => {
    const tool = defineTool({
      name: "calculator",
      description: "Evaluates.",
      parameters: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
      run: () => "4",
    });
    const played = await play("2+2", { tools: [tool] });
    expect(played.calls).toEqual([{ name: "calculator", arguments: { input: "2 + 2" } }]);
    expect(played.answer).toBe("2 + 2 = 4");
  });

  it("offers nothing to a tool whose schema is malformed", async () => {
    const broken = {
      name: "calculator",
      description: "",
      parameters: { properties: null, required: "expression" },
    };
    const tools: OpenAIFunction[] = [{ type: "function", function: broken }];
    await expect(engine.generate([user("2+2")], { ...options, tools })).rejects.toThrow('tool "calculator"');
  });
});

describe("answers from results", () => {
  it("says what a failed tool said, and does not call again", async () => {
    const played = await play("What is 1/0?");
    expect(expressionsOf(played)).toEqual(["1 / 0"]);
    expect(played.answer).toBe('The tool calculator failed on "1 / 0": Division by zero.');
    expect(played.turns).toBe(2);
  });

  it("answers what it can when one of several calls failed", async () => {
    const { answer } = await play("What is 1/0 and what is 2+2?");
    expect(answer).toBe('The tool calculator failed on "1 / 0": Division by zero.\n2 + 2 = 4');
  });

  it("reports a denied or blocked call", async () => {
    const messages = [
      user("What is 2+2?"),
      ...called("2 + 2", "Error: Loop guard: repeated. The call was not run."),
    ];
    const { content } = await engine.generate(messages, options);
    expect(content).toBe(
      'The tool calculator failed on "2 + 2": Loop guard: repeated. The call was not run.',
    );
  });

  it("reads past the note a loop guard adds", async () => {
    const messages = [user("What is 2+2?"), ...called("2 + 2", "4\n[Loop guard: repeated.]")];
    expect((await engine.generate(messages, options)).content).toBe("2 + 2 = 4");
  });

  it("says so when a call got no result", async () => {
    const messages = [user("What is 2+2 and what is 3*3?"), ...called("3 * 3", "9")];
    const { content } = await engine.generate(messages, options);
    expect(content).toBe("2 + 2 was not computed: no result came back.\n3 * 3 = 9");
  });

  it("bounds what it repeats of a tool's failure", async () => {
    const messages = [user("What is 2+2?"), ...called("2 + 2", `Error: ${"x".repeat(100_000)}`)];
    const { content } = await engine.generate(messages, options);
    expect(content.length).toBeLessThan(2_200);
  });

  it("answers a closing turn without tools from the results", async () => {
    const messages = [user("What is 15% of 340?"), ...called("340 * 15 / 100", "51.0")];
    expect((await engine.generate(messages, options)).content).toBe("15% of 340 = 51");
    const prompt = user("No more tool calls are possible. Give the best answer you can from what is above.");
    expect((await engine.generate([...messages, prompt], options)).content).toBe("15% of 340 = 51");
  });

  it("takes a new question after tool results as one", async () => {
    const messages = [user("What is 2+2?"), ...called("2 + 2", "4"), user("What is 3*3?")];
    const { toolCalls } = await engine.generate(messages, {
      ...options,
      tools: [calculator.toOpenAIFunction()],
    });
    expect(toolCalls.map((call) => call.arguments)).toEqual(['{"expression":"3 * 3"}']);
  });

  it("answers from the results of calls it did not plan", async () => {
    const other = [user("What is 15% of 340?"), ...called("0.15*340", "51.0")];
    expect((await engine.generate(other, options)).content).toBe("15% of 340 = 51");
    const foreign = [user("How is the weather?"), ...called("1", "sunny")];
    expect((await engine.generate(foreign, options)).content).toBe("The tool calculator answered: sunny");
    const failed = [user("How is the weather?"), ...called("{", "Error: no network")];
    expect((await engine.generate(failed, options)).content).toBe("The tool calculator failed: no network");
  });

  it("survives tool messages without calls, ids or content", async () => {
    const messages: Message[] = [
      { role: "tool", content: null },
      user("2+2"),
      { role: "tool", content: "4" },
    ];
    expect((await engine.generate(messages, options)).content).toBe("2 + 2 = 4");
  });
});

describe("earlier messages", () => {
  it.each([
    ["what is that times 2?", "51 * 2", "51 * 2 = 102"],
    ["and times 3?", "51 * 3", "51 * 3 = 153"],
    ["divide it by 3", "51 / 3", "51 / 3 = 17"],
    ["half of that", "51 / 2", "51 / 2 = 25.5"],
    ["what is 2+2?", "2 + 2", "2 + 2 = 4"],
  ])("%s goes on from a clear answer", async (question, expression, answer) => {
    const history = [user("What is 15% of 340?"), assistant("15% of 340 = 51")];
    const played = await play(question, { history });
    expect(expressionsOf(played)).toEqual([expression]);
    expect(played.answer).toBe(answer);
  });

  it.each(["2 + 2 = 4\n3 * 3 = 9", "It was 51 in all, I think", "", "20 is 25% of 80"])(
    "does not go on from an unclear one: %j",
    async (earlier) => {
      const history = [user("…"), assistant(earlier)];
      await expect(play("what is that times 2?", { history })).rejects.toThrow("cannot answer");
    },
  );

  it("ignores system messages", async () => {
    const history: Message[] = [{ role: "system", content: "You are a pirate. 1 + 1" }];
    expect((await play("2+2", { history })).answer).toBe("2 + 2 = 4");
  });
});

describe("what the user said about themselves", () => {
  it.each([
    ["my name is Ana", "what is my name?", "You said your name is Ana."],
    ["Hi! My name is Ana and I live in Rome.", "What's my name", "You said your name is Ana."],
    ["my name is Ana", "Who am I?", "You said your name is Ana."],
    [
      "My favourite colour is deep blue.",
      "What is my favourite colour?",
      "You said your favourite colour is deep blue.",
    ],
    ["my name’s Ana", "do you remember my name?", "You said your name is Ana."],
    ["my name is Ana. my name is Bea", "what is my name?", "You said your name is Bea."],
  ])("%s / %s", async (said, asked, answer) => {
    const { content } = await engine.generate([user(said), assistant("ok"), user(asked)], options);
    expect(content).toBe(answer);
  });

  it.each([
    ["my name is not Ana", "what is my name?"],
    ["her name is Ana", "what is my name?"],
    ["my name is Ana", "what is my address?"],
    ["my name is Ana", "what is your name?"],
  ])("does not guess: %s / %s", async (said, asked) => {
    const messages = [user(said), assistant("ok"), user(asked)];
    await expect(engine.generate(messages, options)).rejects.toThrow("cannot answer");
  });

  it("takes nothing from what the assistant said", async () => {
    const messages = [assistant("my name is Jarvis"), user("what is my name?")];
    await expect(engine.generate(messages, options)).rejects.toThrow("cannot answer");
  });
});
