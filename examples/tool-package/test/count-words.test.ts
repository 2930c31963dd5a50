import { describe, expect, it } from "vitest";
import { countWords } from "../src/count-words.js";

describe("countWords", () => {
  it("counts words, sentences and characters", () => {
    expect(countWords("One fish. Two fish!")).toEqual({ words: 4, sentences: 2, characters: 19 });
  });

  it("finds nothing in an empty text", () => {
    expect(countWords("")).toEqual({ words: 0, sentences: 0, characters: 0 });
  });

  it("knows words without spaces between them", () => {
    expect(countWords("今日は良い天気です。", "ja").words).toBeGreaterThan(3);
  });

  it("counts what a person sees as one character as one", () => {
    expect(countWords("👩‍👩‍👧é").characters).toBe(2);
  });
});
