import { isJarvisError, type JarvisError } from "@openjarvis/core";
import { describe, expect, it } from "vitest";
import { calculator, play, think } from "./driver.js";

const notArithmetic = `
Who won in 1998?
Tell me about Apollo 11
What happened on 9/11?
What is 9/11?
Call me at 555-1234
555-1234
What is 555-1234?
+1-555-123-4567
(555) 123-4567
978-3-16-148410-0
ISO 8601 date 2024-05-01
2024-05-01
What is 2024-05-01?
What is 5/1/2024?
What is 24/7?
What is 42
What is 15%?
What is a quarter?
What is the capital of France?
How many days are there in 2 weeks?
What is 5G?
What is a 401(k)?
What is C++?
Is 7 prime?
Is 2 + 2 = 4?
Is 5 less than 12?
Does 2 + 2 equal 4?
What is 1+1=2?
E = mc^2
a^2 + b^2 = c^2
2x + 3y = 5
x^2 = 9
x = 5
x + 5
192.168.0.1
1.2.3
10:30
1914-1918
1066-1077.
25/3/2003.
0-255.
0x393
0.3 - 0.1   // 0.2
b = 'b'
Room 12-34
Solve problem 3-2
We need 5-7
I want 10-12
Explain in 2-3 words.
What is $5 + €3?
What is 2 +?
What is (2 + 3?
What is 2 + 2)?
2 3 + 4
6/2(1+2)
1/2x = 3
10% + 5%
15% 340
Don't compute 2+2
What is 2+2 and who is the president?
If I have 3 apples and buy 2 more, how many do I have?
What is the square root of happiness?
What is the sum of all fears?
What is the difference between a cat and a dog?
What is the average of my grades?
What is the area of a circle?
What is the area of France?
What is the area of a circle with radius 7 and height 3?
What is the volume of a sphere with radius -3?
What is that times 2?
and times 3?
- 2 + 2
1. 2+2
3 + 5!
max of 5,100
two and a half men
seven eleven
007 + 1
5 km + 3 miles
15% of the population
print(2+2) # python
2+2;rm -rf /
¿Cuánto es 2+2?
Summarize example.com
Summarize this long document
`
  .trim()
  .split("\n");

async function refusalOf(question: string, tools = [calculator]): Promise<JarvisError> {
  try {
    const played = await play(question, { tools });
    throw new Error(`${question} was answered: ${JSON.stringify(played)}`);
  } catch (error) {
    if (isJarvisError(error, "OJ_ENGINE_CANNOT_ANSWER")) return error;
    throw error;
  }
}

describe("refusals", () => {
  it.each(notArithmetic)("%s", async (question) => {
    const error = await refusalOf(question);
    expect(error.message).toBe("The built-in rules engine cannot answer this: it is not a language model.");
    expect(error.hint).toBe("Install Ollama (https://ollama.com), then run: jarvis model pull qwen3:4b");
  });

  it("names the command with the tool first when arithmetic is asked without a calculator", async () => {
    for (const tools of [[], [think]]) {
      const error = await refusalOf("What is 2+2?", tools);
      expect(error.message).toContain('without the tool "calculator"');
      expect(error.hint.split("\n")[0]).toBe(
        'Run: jarvis ask --agent orchestrator --tools calculator "What is 2+2?"',
      );
      expect(error.hint).toContain("jarvis model pull qwen3:4b");
      expect(error.details).toEqual({ tool: "calculator" });
    }
  });

  it("quotes the question so that a shell does not read it", async () => {
    const error = await refusalOf("What's $5 + $3?", []);
    expect(error.hint.split("\n")[0]).toBe(
      "Run: jarvis ask --agent orchestrator --tools calculator 'What'\\''s $5 + $3?'",
    );
  });

  it("leaves a long question out of the command", async () => {
    const error = await refusalOf(`What is ${"1 + ".repeat(100)}1?`, []);
    expect(error.hint.split("\n")[0]).toBe('Run: jarvis ask --agent orchestrator --tools calculator "…"');
  });

  it("says so when nothing was asked", async () => {
    expect((await refusalOf("  ")).message).toBe("The built-in rules engine was asked nothing.");
  });
});
