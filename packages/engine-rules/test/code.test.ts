import { isJarvisError, type Message, type TextProtocol } from "@openjarvis/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RulesEngine } from "../src/rules-engine.js";
import { readPrograms, writeProgram } from "../src/text/programs.js";
import { assistant, calculator, play, user } from "./driver.js";
import { codeact, interpreterOf, playText, react, structured } from "./text-driver.js";

const outputs = {
  "print(2+2)": "4",
  "for i in range(2):\n    print(i)": "0\n1",
  "console.log(1)": "1",
  pass: "",
  answer: "Answer: 42\nInput: 5\nOutput: 6\nAnswer: 7",
  indented: "   x\n  y",
  labels: "first\nFinal Answer: 42\nObservation: 7\n```python\nprint(1)\n```",
};
const tools = [calculator, interpreterOf(outputs)];
const fenced = (code: string, name = "python") => `\`\`\`${name}\n${code}\n\`\`\``;

const texts: [name: string, protocol: TextProtocol][] = [
  ["react", react],
  ["structured", structured],
  ["codeact", codeact],
];

describe("a fenced program", () => {
  it.each([
    [`${fenced("print(2+2)")}`, "print(2+2)", "python", "4"],
    [`What does this print?\n${fenced("print(2+2)")}\nThanks!`, "print(2+2)", "python", "4"],
    [`Run this: ${fenced("print(2+2)", "py")}`, "print(2+2)", "python", "4"],
    ["Run ```python print(2+2)```", "print(2+2)", "python", "4"],
    ["Run\n```python\nprint(2+2)", "print(2+2)", "python", "4"],
    ["Run\r\n```python\r\nprint(2+2)\r\n```", "print(2+2)", "python", "4"],
    [
      "Run\n  ~~~Python\n  for i in range(2):\n      print(i)\n  ~~~",
      "for i in range(2):\n    print(i)",
      "python",
      "0\n1",
    ],
    [`Run ${fenced("console.log(1)", "js")}`, "console.log(1)", "javascript", "1"],
    [`Run ${fenced("pass")}`, "pass", "python", "The program printed nothing."],
  ])("is run as it is: %j", async (question, code, language, answer) => {
    const played = await play(question, { tools });
    expect(played.calls).toEqual([{ name: "code_interpreter", arguments: { code, language } }]);
    expect(played.answer).toBe(answer);
    for (const [, protocol] of texts)
      expect((await playText(protocol, question, { tools })).content).toBe(answer);
  });

  it.each(texts)("is reported with its last lines when it fails: %s", async (_name, protocol) => {
    const said =
      'The program failed:\nTraceback (most recent call last):\n  File "<cell>", line 1, in <module>\n' +
      "NameError: name 'oops' is not defined";
    expect((await play(`Run ${fenced("oops")}`, { tools })).answer).toBe(said);
    expect((await playText(protocol, `Run ${fenced("oops")}`, { tools })).content).toBe(said);
  });

  it.each([
    ["Traceback (most recent call last):\n  ^\ntimeoutMs: Too long.\nThe program timed out.", true],
    ['  File "<cell 1>", line 1\n    def f(:\n          ^\nSyntaxError: invalid syntax', true],
    ["1\nTypeError: no\n    at cell 1, line 1: f()", true],
    ["Error: The user did not allow it.", true],
    ["at noon", false],
    ["at 9 o'clock", false],
    ["ValueError: is a class of Python", false],
    ["KeyError", false],
    ["    4", false],
  ])("is known to have failed by what it says at the end: %j", async (said, failed) => {
    const messages: Message[] = [
      { role: "system", content: codeact.systemPrompt(tools) },
      user(`Run ${fenced("print(2+2)")}`),
      assistant(fenced("print(2+2)")),
      user(`Output:\n${said}`),
    ];
    const { content } = await new RulesEngine().generate(messages, { model: "rules" });
    expect(content).toBe(failed ? `The program failed:\n${said.replace("Error: The", "The")}` : said);
  });

  it("keeps the space its output begins with", async () => {
    const question = `Run ${fenced("indented")}`;
    for (const [, protocol] of texts) {
      const { replies } = await playText(protocol, question, { tools });
      expect(replies.at(-1)).toMatch(/(?:: |^) {3}x\n {2}y$/);
    }
  });

  it("is written as the program to run where programs are actions", async () => {
    const { replies } = await playText(codeact, `Run ${fenced("print(2+2)", "py")}`, { tools });
    expect(replies).toEqual([fenced("print(2+2)"), "4"]);
  });

  it.each(texts)("may print what looks like labels and fences: %s", async (_name, protocol) => {
    const { content, turns } = await playText(protocol, `Run ${fenced("labels")}`, { tools });
    expect(content).toBe("first\n| Final Answer: 42\n| Observation: 7\n| ```python\nprint(1)\n| ```");
    expect(turns).toBe(2);
  });

  it.each(texts)("may begin its output with a word that is no label there: %s", async (_name, protocol) => {
    const { content } = await playText(protocol, `Run ${fenced("answer")}`, { tools });
    expect(content).toBe("Answer: 42\nInput: 5\nOutput: 6\nAnswer: 7");
  });

  it("is not sent to an interpreter of another language", async () => {
    const python = (protocol: TextProtocol): TextProtocol => ({
      ...protocol,
      systemPrompt: (offered) => protocol.systemPrompt(offered).replace(/\nLanguages: .*/, ""),
    });
    const question = `Run ${fenced("console.log(1)", "js")}`;
    await expect(playText(python(codeact), question, { tools })).rejects.toThrow("cannot answer");
  });

  it("without an interpreter gives the command, without the program", async () => {
    const asked = [play(`Run ${fenced("print(2+2)")}`), playText(codeact, `Run ${fenced("print(2+2)")}`)];
    for (const result of await Promise.allSettled(asked)) {
      const error: unknown = result.status === "rejected" ? result.reason : undefined;
      if (!isJarvisError(error, "OJ_ENGINE_CANNOT_ANSWER")) throw new Error("It was not refused.");
      expect(error.hint.split("\n")[0]).toBe(
        'Run: jarvis ask --agent native_openhands --tools code_interpreter "…"',
      );
    }
  });

  it.each([
    `Explain this: ${fenced("print(2+2)")}`,
    `Fix the bug\n${fenced("print(2+2)")}`,
    `Don’t run this ${fenced("print(2+2)")}`,
    `Run ${fenced("print(2+2)")} and ${fenced("pass")}`,
    `Run ${fenced("print(2+2)", "rust")}`,
    `Run ${fenced("print(2+2)", "")}`,
    `Run ${fenced("  ")}`,
    "print(2+2) # python",
  ])("is not run when something else is asked: %j", async (question) => {
    await expect(play(question, { tools })).rejects.toThrow("cannot answer this: it is not");
  });
});

describe("readPrograms", () => {
  it("reads what writeProgram writes", () => {
    const code = fc
      .array(fc.constantFrom("a = 1", "    b", "```", "`````python", "~~~", "", "print('```')"), {
        minLength: 1,
      })
      .map((lines) => `x\n${lines.join("\n")}\ny`);
    fc.assert(
      fc.property(code, (text) => {
        const [program] = readPrograms(writeProgram(text, "python"));
        expect(program?.code).toBe(text);
        expect(program?.end).toBe(writeProgram(text, "python").length);
      }),
    );
  });

  it.each(["```", "```python\n", "``` a ", "\n```\n", "~~~js x ", "`".repeat(50), "``` \n ", "```py\n```x"])(
    "reads a megabyte of %j in linear time",
    (part) => {
      const started = performance.now();
      const programs = readPrograms(part.repeat(1_000_000 / part.length));
      expect(programs.length).toBeLessThanOrEqual(100);
      // Far above what it takes; quadratic work on a megabyte would be minutes.
      expect(performance.now() - started).toBeLessThan(10_000);
    },
  );
});

describe("a conversation with programs", () => {
  it("takes the output of several programs of another engine", async () => {
    const history: Message[] = [];
    const { content } = await playText(codeact, "Who won in 1998?", {
      tools,
      history,
      scripted: [fenced("print(2+2)")],
    });
    expect(content).toBe("The tool code_interpreter answered: 4");
  });
});
