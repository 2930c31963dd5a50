import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ReasoningSplitter, type SplitText, type StreamPiece, splitReasoning } from "../src/index.js";

/** Puts the pieces of a stream together as a terminal does. */
function assemble(pieces: readonly StreamPiece[]): SplitText {
  let text = "";
  let reasoning = "";
  for (const piece of pieces) {
    if (piece.kind === "text") text += piece.text;
    else if (piece.kind === "reasoning") reasoning += piece.text;
    else if (piece.kind === "boundary") reasoning += "\n";
    else {
      reasoning += text.trim();
      text = "";
    }
  }
  return { text: text.trim(), reasoning: reasoning.trim() };
}

function stream(chunks: readonly string[]): StreamPiece[] {
  const splitter = new ReasoningSplitter();
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
}

/** Cuts a text at the given places, which may part tags, fences and characters. */
function cutAt(text: string, places: readonly number[]): string[] {
  const sorted = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...sorted].map((start, index) => text.slice(start, sorted[index] ?? text.length));
}

describe("splitReasoning", () => {
  it.each<[string, string, string, string]>([
    ["a closed block", "<think>a</think>b", "b", "a"],
    ["white space around a block", "<think>\n a \n</think>\n\n b ", "b", "a"],
    ["upper case", "<THINK>a</Think> b", "b", "a"],
    ["thinking", "<thinking>a</thinking>b", "b", "a"],
    ["thought", "<thought>a</thought>b", "b", "a"],
    ["reasoning", "<reasoning>a</reasoning>b", "b", "a"],
    ["brackets", "[THINK]a[/THINK]b", "b", "a"],
    ["white space inside a tag", "<think >a</think\n>b", "b", "a"],
    ["an opener that never closes", "Hello. <think>private plan", "Hello.", "private plan"],
    ["an unclosed opener of another name", "Hello. <Thinking>private plan", "Hello.", "private plan"],
    ["nothing but an unclosed block", "<think>text", "", "text"],
    [
      "only a closer",
      "first add, then check\n</think>\nThe answer is 5.",
      "The answer is 5.",
      "first add, then check",
    ],
    ["two lone closers", "a</think>b</think>c", "c", "a\nb"],
    ["a lone closer before a block", "a</think>b<think>c</think>d", "bd", "a\nc"],
    ["nested blocks", "<think>a<think>b</think>c</think>d", "d", "abc"],
    ["several blocks", "<think>a</think>b<think>c</think>d", "bd", "a\nc"],
    ["an empty block", "<think></think>b", "b", ""],
    ["CRLF", "<think>\r\na\r\n</think>\r\nb\r\n", "b", "a"],
    ["an answer with line breaks", "<think>a</think>\none\n\ntwo\n", "one\n\ntwo", "a"],
    ["backticks inside a block", "<think>`a ``` b</think>c", "c", "`a ``` b"],
    ["a fence after a block", "<think>a</think>\n```\n<think>\n```", "```\n<think>\n```", "a"],
    ["a stray backtick on an earlier line", "it`s odd\n<think>a</think>b", "it`s odd\nb", "a"],
    ["surrogate pairs", "<think>🙂</think>🚀", "🚀", "🙂"],
  ])("takes %s apart", (_name, input, text, reasoning) => {
    expect(splitReasoning(input)).toEqual({ text, reasoning });
  });

  it.each([
    ["plain text", "  Nothing to see.\n"],
    ["the empty text", ""],
    ["tags in code spans", "Use the tag like this: `<think>` and close with `</think>` in your template."],
    ["tags in a span of two backticks", "write ``<think>`</think>`` here"],
    ["tags in a fence", "```xml\n<think>\nx\n</think>\n```\nend"],
    ["tags in a fence of tildes", "~~~\n<think>x</think>\n~~~\n"],
    ["tags in a longer fence", "````\n```\n</think>\n```\n````\n"],
    ["tags in a fence with CRLF", "```\r\n<think>\r\n```\r\nend"],
    ["tags in an indented fence", "1. so:\n   ```\n   <think>\n   ```\n"],
    ["tags in a fence that never closes", "```\n<think>\n</think>"],
    ["other tags", "<thinker>a</thinker> <b>bold</b> <think-hard> < think>"],
    ["a tag that never ends", "a <think"],
    ["half a closer", "a </think"],
    ["other brackets", "[think aloud] [/THINK"],
  ])("leaves %s as it is", (_name, input) => {
    expect(splitReasoning(input)).toEqual({ text: input, reasoning: "" });
  });

  it("keeps white space inside the answer", () => {
    expect(splitReasoning("<think>a</think>x  \n\n  y").text).toBe("x  \n\n  y");
  });
});

const part = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom("<think>", "</think>", "<Thinking>", "</thinking>", "[THINK]", "[/THINK]"),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom("<reasoning", "</thought\t>", "<think  >", "<", ">", "/", "[", "]", "</"),
  },
  { weight: 3, arbitrary: fc.constantFrom("`", "``", "```", "~~~", "~", "````") },
  { weight: 3, arbitrary: fc.constantFrom("\n", "\r\n", " ", "   ", "\t", "          ") },
  { weight: 2, arbitrary: fc.constantFrom("a", "think", "🙂", "é", "\ud800", "\u2028", "word ") },
  { weight: 1, arbitrary: fc.nat(60).map((count) => "`".repeat(count)) },
  { weight: 1, arbitrary: fc.nat(60).map((count) => "~".repeat(count)) },
  { weight: 1, arbitrary: fc.nat(30).map((count) => `<think${" ".repeat(count)}>`) },
);
const modelText = fc.array(part, { maxLength: 24 }).map((parts) => parts.join(""));
const places = fc.array(fc.nat(), { maxLength: 30 });

describe("ReasoningSplitter", () => {
  it("gives for any chunks what splitReasoning gives for the whole text", () => {
    fc.assert(
      fc.property(modelText, places, (input, cuts) => {
        const whole = splitReasoning(input);
        const { text, reasoning } = assemble(stream(cutAt(input, cuts)));
        expect({ text, reasoning }).toEqual({ text: whole.text.trim(), reasoning: whole.reasoning });
      }),
      { numRuns: 3000 },
    );
  });

  it("gives the same for single characters", () => {
    fc.assert(
      fc.property(modelText, (input) => {
        const whole = splitReasoning(input);
        const { text, reasoning } = assemble(stream(input.split("")));
        expect({ text, reasoning }).toEqual({ text: whole.text.trim(), reasoning: whole.reasoning });
      }),
      { numRuns: 1000 },
    );
  });

  it("loses and invents nothing but tags", () => {
    fc.assert(
      fc.property(modelText, places, (input, cuts) => {
        const kept = stream(cutAt(input, cuts))
          .map((piece) => ("text" in piece ? piece.text : ""))
          .join("");
        let at = 0;
        for (const char of kept.split("")) {
          at = input.indexOf(char, at) + 1;
          expect(at).toBeGreaterThan(0);
        }
      }),
    );
  });

  it("hands on what cannot become a tag at once", () => {
    const splitter = new ReasoningSplitter();
    expect(splitter.push("Hello, ")).toEqual([{ kind: "text", text: "Hello, " }]);
    expect(splitter.push("wor<thi")).toEqual([{ kind: "text", text: "wor" }]);
    expect(splitter.push("s>ld")).toEqual([{ kind: "text", text: "<this>ld" }]);
    expect(splitter.end()).toEqual([]);
  });

  it("takes back text that a lone closer shows to be reasoning", () => {
    const splitter = new ReasoningSplitter();
    expect(splitter.push("first add</th")).toEqual([{ kind: "text", text: "first add" }]);
    expect(splitter.push("ink>5")).toEqual([
      { kind: "retract" },
      { kind: "boundary" },
      { kind: "text", text: "5" },
    ]);
  });

  it("hands on at the end what it held back", () => {
    const splitter = new ReasoningSplitter();
    expect(splitter.push("a</thin")).toEqual([{ kind: "text", text: "a" }]);
    expect(splitter.end()).toEqual([{ kind: "text", text: "</thin" }]);
    expect(splitter.end()).toEqual([]);
  });
});

describe("hostile texts", () => {
  const size = 10_000_000;
  const repeat = (unit: string) => unit.repeat(Math.ceil(size / unit.length));
  const texts: [string, () => string][] = [
    ["openers", () => repeat("<think>")],
    ["closers", () => repeat("</think>")],
    ["text and closers", () => repeat("ab</think>")],
    ["blocks", () => repeat("<think>a</think>b")],
    ["half tags", () => repeat("<think")],
    ["half tags with spaces", () => repeat(`<think${" ".repeat(500)}`)],
    ["angle brackets", () => repeat("<")],
    ["square brackets", () => repeat("[THINK")],
    ["backticks", () => `${repeat("`")}<think>`],
    ["spaced backticks", () => `${repeat("` `` ")}<think>`],
    ["tildes", () => `${repeat("~")}<think>`],
    ["line breaks", () => `${repeat("\n")}<think>`],
    ["spaces", () => `<think${repeat(" ")}`],
    [
      "a span of spaces with tags",
      () => `\`${repeat(" ").slice(size / 2)}${repeat("<think>").slice(size / 2)}`,
    ],
  ];

  // The bound is some fifty times what linear work takes; quadratic work would take hours.
  it.each(texts)(
    "of 10 MB of %s are split in time linear in their length",
    { timeout: 60_000 },
    (_name, make) => {
      const input = make();
      const { text, reasoning } = splitReasoning(input);
      expect(text.length + reasoning.length).toBeLessThanOrEqual(input.length * 2);
    },
  );

  it.each(texts)("of %s are split when they arrive in small chunks", { timeout: 60_000 }, (_name, make) => {
    const input = make().slice(0, 1_000_000);
    const splitter = new ReasoningSplitter();
    let length = 0;
    for (let start = 0; start < input.length; start += 3) {
      for (const piece of splitter.push(input.slice(start, start + 3)))
        length += "text" in piece ? piece.text.length : 0;
    }
    for (const piece of splitter.end()) length += "text" in piece ? piece.text.length : 0;
    expect(length).toBeLessThanOrEqual(input.length);
  });
});
