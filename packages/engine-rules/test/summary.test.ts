import { describe, expect, it } from "vitest";
import { RulesEngine } from "../src/rules-engine.js";
import { extract } from "../src/text/extract.js";
import { splitSentences } from "../src/text/sentences.js";
import { user } from "./driver.js";

const engine = new RulesEngine();
const ask = async (text: string) => (await engine.generate([user(text)], { model: "rules" })).content;

const article = [
  "Solar panels turn sunlight into electricity.",
  "My cousin has a dog called Rex.",
  "The price of solar panels has fallen, and solar electricity is now cheap.",
  "He likes trains.",
  "Most solar panels are made of silicon, which turns sunlight into electricity.",
  "The weather was bad on Tuesday.",
  "A roof with solar panels can give a house its electricity.",
  "Lunch is at noon.",
];

describe("summaries", () => {
  it("gives the central sentences in their order and says it is an extract", async () => {
    expect(await ask(`Summarize: ${article.join(" ")}`)).toBe(
      "Extract, not a rewording: the 2 most central of 8 sentences.\n\n" +
        "Solar panels turn sunlight into electricity. " +
        "The price of solar panels has fallen, and solar electricity is now cheap.",
    );
  });

  it.each([
    "Summarise the following text:\n",
    "Please summarize this article: ",
    "Can you give me a short summary of the following:\n\n",
    "TL;DR: ",
    "Sum up this text. ",
  ])("understands %j", async (request) => {
    const answer = await ask(request + article.join(" "));
    expect(answer).toContain("of 8 sentences");
    expect(answer).not.toContain("ummar");
  });

  it("is the same every time", async () => {
    const text = `Summarize: ${article.join(" ")}`;
    expect(await ask(text)).toBe(await ask(text));
  });

  it("refuses a text of one sentence", async () => {
    await expect(ask("Summarize: Solar panels turn sunlight into electricity.")).rejects.toThrow(
      "cannot answer",
    );
  });

  it("reads a megabyte and names what it left", async () => {
    const sentence = "The quick brown fox jumps over the lazy dog number ";
    const text = Array.from({ length: 25_000 }, (_, index) => `${sentence}${index}.`).join(" ");
    const answer = await ask(`Summarize: ${text}`);
    expect(answer).toMatch(/The last \d+ characters were not read\./);
    expect(answer.length).toBeLessThan(2_000);
  });
});

describe("splitSentences", () => {
  it.each([
    ["One. Two! Three?", ["One.", "Two!", "Three?"]],
    [
      "Dr. Smith paid 3.50 to J. Doe, e.g. in cash. Then he left.",
      ["Dr. Smith paid 3.50 to J. Doe, e.g. in cash.", "Then he left."],
    ],
    ['He said "Stop." Then he left', ['He said "Stop."', "Then he left"]],
    ["A wrapped\nline. Next", ["A wrapped line.", "Next"]],
    ["# Title\nText here\n\n- item one\n- item two", ["# Title Text here", "- item one", "- item two"]],
    ["これは文です。次の文です。", ["これは文です。", "次の文です。"]],
    ["Wait... what?", ["Wait...", "what?"]],
    ["... !!! ???", []],
    ["", []],
  ])("%j", (text, sentences) => {
    expect(splitSentences(text)).toEqual(sentences);
  });
});

describe("extract", () => {
  it("takes at most five sentences and 1,500 characters", () => {
    const sentences = Array.from(
      { length: 400 },
      (_, index) => `Sentence ${index} is about solar panels. ${"x ".repeat(200)}`,
    );
    const picked = extract(sentences);
    expect(picked.length).toBeLessThanOrEqual(5);
    expect(picked.join("").length).toBeLessThanOrEqual(1_500);
  });

  it("takes a repeated sentence once", () => {
    expect(extract(Array.from({ length: 40 }, () => "The same again and again."))).toEqual([
      "The same again and again.",
    ]);
  });

  it("shortens a single sentence that is too long", () => {
    const [picked = ""] = extract(["word ".repeat(2_000), "tiny bit"]);
    expect(picked.length).toBeLessThanOrEqual(1_500);
  });
});
