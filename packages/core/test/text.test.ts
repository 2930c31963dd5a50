import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { truncateEnd, truncateMiddle } from "../src/index.js";

const limits = fc.nat(200);
const texts = fc.string({ unit: "binary", maxLength: 400 });
/** Texts with half characters in them, as cut streams leave them. */
const brokenTexts = fc
  .array(fc.constantFrom("a", "🙂", "\ud83d", "\ude42", "é"), { maxLength: 300 })
  .map((p) => p.join(""));

const isWhole = (text: string) => !/\p{Surrogate}/u.test(text);

describe("truncateEnd", () => {
  it.each<[string, number, string]>([
    ["abc", 3, "abc"],
    ["abc", 2, "ab"],
    ["abc", 0, ""],
    ["a🙂b", 2, "a"],
    ["a🙂b", 3, "a🙂"],
    ["\ude42abc", 0, ""],
    ["abc", -1, ""],
  ])("of %j to %i is %j", (text, limit, expected) => {
    expect(truncateEnd(text, limit)).toBe(expected);
  });

  it("keeps a beginning within the limit and never parts a character", () => {
    fc.assert(
      fc.property(texts, limits, (text, limit) => {
        const cut = truncateEnd(text, limit);
        expect(text.startsWith(cut)).toBe(true);
        expect(cut.length).toBeLessThanOrEqual(limit);
        expect(cut.length).toBeGreaterThanOrEqual(Math.min(text.length, limit - 1));
        expect(isWhole(cut)).toBe(true);
      }),
    );
  });
});

describe("truncateMiddle", () => {
  it("leaves a short text alone", () => {
    expect(truncateMiddle("abc", 3)).toBe("abc");
  });

  it("keeps head and tail and says how much is missing", () => {
    const cut = truncateMiddle(`${"h".repeat(500)}${"t".repeat(500)}`, 100);
    const [, head, missing, tail] = /^(h+)\n\[… (\d+) characters left out …\]\n(t+)$/.exec(cut) ?? [];
    expect(cut.length).toBeLessThanOrEqual(100);
    expect((head?.length ?? 0) + Number(missing) + (tail?.length ?? 0)).toBe(1000);
    expect(head?.length).toBeGreaterThan(tail?.length ?? 0);
  });

  it("cuts the end where the limit leaves no room for the mark", () => {
    expect(truncateMiddle("x".repeat(1000), 10)).toBe("x".repeat(10));
  });

  it("stays within the limit and never parts a character", () => {
    fc.assert(
      fc.property(fc.oneof(texts, fc.constant("🙂".repeat(300))), limits, (text, limit) => {
        const cut = truncateMiddle(text, limit);
        expect(cut.length).toBeLessThanOrEqual(Math.max(limit, 0));
        expect(isWhole(cut)).toBe(true);
        if (text.length <= limit) expect(cut).toBe(text);
      }),
    );
  });

  it("accounts for every character it leaves out, also of broken texts", () => {
    fc.assert(
      fc.property(brokenTexts, limits, (text, limit) => {
        const cut = truncateMiddle(text, limit);
        const mark = /\n\[… (\d+) characters left out …\]\n/.exec(cut);
        if (mark === null) {
          expect(text.startsWith(cut)).toBe(true);
          return;
        }
        const head = cut.slice(0, mark.index);
        const tail = cut.slice(mark.index + mark[0].length);
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
        expect(head.length + Number(mark[1]) + tail.length).toBe(text.length);
      }),
    );
  });
});
