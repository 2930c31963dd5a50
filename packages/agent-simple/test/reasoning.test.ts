import { ScriptedEngine } from "@openjarvis/testing";
import { describe, expect, it } from "vitest";
import { SimpleAgent } from "../src/index.js";

async function answerTo(pieces: string | readonly string[]): Promise<string> {
  const engine = new ScriptedEngine([{ text: pieces }]);
  return (await new SimpleAgent({ engine, model: "m" }).run("q")).content;
}

/** Every way of writing the tags that models are known to use. */
const tags: [open: string, close: string][] = ["think", "thinking", "thought", "reasoning"].flatMap(
  (name): [string, string][] => [
    [`<${name}>`, `</${name}>`],
    [`<${name.toUpperCase()}>`, `</${name.toUpperCase()}>`],
    [`<${name[0]?.toUpperCase()}${name.slice(1)}>`, `</${name}>`],
  ],
);
tags.push(["[THINK]", "[/THINK]"], ["<think >", "</think >"]);

describe("the answer of a model that thinks aloud", () => {
  it.each(tags)("leaves out a block between %s and %s", async (open, close) => {
    expect(await answerTo(`${open}first add,\nthen check${close}\n\nThe answer is 5.`)).toBe(
      "The answer is 5.",
    );
    expect(await answerTo(`Hello. ${open}plan${close} Goodbye.`)).toBe("Hello.  Goodbye.");
  });

  it.each(tags)(
    "leaves out all before a closing tag whose opening %s stood in the template",
    async (_open, close) => {
      expect(await answerTo(`first add, then check\n${close}\nThe answer is 5.`)).toBe("The answer is 5.");
    },
  );

  it.each(tags)("leaves out all after %s that never closes", async (open) => {
    expect(await answerTo(`Hello. ${open}private plan`)).toBe("Hello.");
  });

  it.each([
    "Use the tag like this: `<think>` and close with `</think>` in your template.",
    "```xml\n<think>\nplan\n</think>\n```\nThat is the format.",
    "~~~\n</think>\n~~~\nA lone closing tag.",
    "``a ` and <think> in a span of two``",
    "Write `[THINK]` for Mistral.",
    "a < b, thinking > doing, 1 </ 2",
    "<thinker>not a tag</thinker>",
  ])("keeps text that only speaks of tags: %j", async (text) => {
    expect(await answerTo(text)).toBe(text);
  });

  it("leaves out several blocks and nested ones", async () => {
    expect(await answerTo("<think>a</think>One. <think>b</think>Two.")).toBe("One. Two.");
    expect(await answerTo("<think>a<think>b</think>c</think>d")).toBe("d");
  });

  it("is the same however the stream is cut", async () => {
    const text = "<think>plan `x` </thin k></think>\nThe `<think>` tag. </THINK>The answer is 5.";
    const whole = await answerTo(text);
    expect(whole).toBe("The answer is 5.");
    for (let cut = 1; cut < text.length; cut += 1) {
      expect(await answerTo([text.slice(0, cut), text.slice(cut)])).toBe(whole);
    }
    expect(await answerTo([...text])).toBe(whole);
  });
});
