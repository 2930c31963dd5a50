import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extractCodeBlocks } from "../src/replies.js";

const codes = (text: string) =>
  extractCodeBlocks(text).map(({ language, code, closed }) => [language, code, closed]);

describe("extractCodeBlocks", () => {
  it.each<[string, string, [string, string, boolean][]]>([
    ["backticks", "a\n```python\nprint(1)\n```\nb", [["python", "print(1)", true]]],
    ["tildes", "~~~python\nprint(3)\n~~~", [["python", "print(3)", true]]],
    ["four backticks", "````python\nprint(3)\n````", [["python", "print(3)", true]]],
    ["a shorter fence inside a longer one", "````md\n```js\nx\n```\n````", [["md", "```js\nx\n```", true]]],
    ["tildes inside backticks", "```\n~~~\n```", [["", "~~~", true]]],
    ["a longer closing fence", "```\nx\n`````", [["", "x", true]]],
    ["an info string in capitals", "``` Python  title=x\n1\n```", [["python", "1", true]]],
    ["up to three spaces before the fences", "   ```py\n   a\n     b\n  ```", [["py", "a\n  b", true]]],
    ["less indentation inside", "  ```\n a\n  ```", [["", "a", true]]],
    ["an unclosed fence", '```python\nprint("half', [["python", 'print("half', false]]],
    ["an unclosed fence with a line break at its end", "```python\nx\n", [["python", "x", false]]],
    ["CRLF", "```py\r\na\r\n\r\nb\r\n```\r\n", [["py", "a\n\nb", true]]],
    ["an empty block", "```\n```", [["", "", true]]],
    ["a blank line", "```\n\n```", [["", "", true]]],
    ["blank lines at the ends", "```\n\na\n\n```", [["", "\na\n", true]]],
    [
      "several blocks",
      "```a\n1\n```\n```b\n2\n```",
      [
        ["a", "1", true],
        ["b", "2", true],
      ],
    ],
    ["a closing fence behind the code", "```python\nprint(1)```\nDone.", [["python", "print(1)", true]]],
    ["white space behind the closing fence", "```\nx\n```  \t\ny", [["", "x", true]]],
    [
      "a closing fence with words, which closes nothing",
      "```\nx\n``` y\nz\n```",
      [["", "x\n``` y\nz", true]],
    ],
    ["a code element", "Run\n<code>\nprint(1)\n</code>\nok", [["", "print(1)", true]]],
    ["a code element on one line", "<code>print(1)</code>", [["", "print(1)", true]]],
    [
      "a fence in a code element",
      "<code>\n```python\nprint(1)\n```\n</code>",
      [["python", "print(1)", true]],
    ],
    ["an unclosed code element", "<code>\nprint(1)", [["", "print(1)", false]]],
  ])("reads %s", (_name, text, expected) => {
    expect(codes(text)).toEqual(expected);
  });

  it.each([
    ["inline code", "Use ```x``` and `y`."],
    ["a backtick in the info string", "``` a`b\nx\n"],
    ["two backticks", "``\nx\n``"],
    ["four spaces of indentation", "    ```\n    x\n"],
    ["a fence in the middle of a line", "text ```python"],
    ["a fence in a JSON string with raw line breaks", '{"code": "a\n```python\nprint(1)\n```\nb"}'],
    ["a code element in a sentence", "<code>x</code> is a name and so is <code>y</code>."],
    ["nothing", ""],
  ])("finds no block in %s", (_name, text) => {
    expect(extractCodeBlocks(text)).toEqual([]);
  });

  it("finds a fence behind a JSON object and one that holds braces", () => {
    expect(codes('{"a": 1}\n```js\nif (x) {\n```\n```js\n}\n```')).toEqual([
      ["js", "if (x) {", true],
      ["js", "}", true],
    ]);
  });

  it("says where a block begins and ends", () => {
    const text = "ab\n ```x\n1\n ```  \ncd";
    const [block] = extractCodeBlocks(text);
    expect(text.slice(block?.start, block?.end)).toBe(" ```x\n1\n ```  ");
    expect(block).toMatchObject({ kind: "fence", info: "x" });
  });

  it("gives back any code that was fenced with enough marks", () => {
    const line = fc.string({
      unit: fc.constantFrom("a", "`", "~", " ", "{", '"', "\\", "é", "🙂", "<code>"),
    });
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom("`", "~"), (lines, mark) => {
        const code = lines.join("\n");
        const longest = Math.max(2, ...[...code.matchAll(/`+|~+/g)].map(([run]) => run.length));
        const fence = mark.repeat(longest + 1);
        const blocks = extractCodeBlocks(`before\n${fence}x\n${code}\n${fence}\nafter`);
        expect(blocks).toMatchObject([{ language: "x", code, closed: true }]);
      }),
    );
  });

  it("covers the text without overlaps", () => {
    const part = fc.constantFrom(
      "```",
      "````",
      "~~~",
      "\n",
      "\r\n",
      "x",
      " ",
      "<code>",
      "</code>",
      "{",
      '"',
      "}",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const text = parts.join("");
        let from = 0;
        for (const { start, end } of extractCodeBlocks(text)) {
          expect(start).toBeGreaterThanOrEqual(from);
          expect(end).toBeGreaterThan(start);
          from = end;
        }
        expect(from).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 2000 },
    );
  });
});
