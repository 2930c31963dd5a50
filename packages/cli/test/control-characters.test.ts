import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ControlCharacterFilter, withoutControls, withVisibleControls } from "../src/control-characters.js";

const esc = String.fromCharCode(27);
const bell = String.fromCharCode(7);

/** Whether a terminal would act on a character, other than on a newline or a tab. */
function isControl(character: string): boolean {
  const code = character.charCodeAt(0);
  return (code < 0x20 && code !== 0x0a && code !== 0x09) || (code >= 0x7f && code <= 0x9f);
}

describe("withoutControls", () => {
  it.each([
    ["colours", `${esc}[31mred${esc}[0m`, "red"],
    ["cursor movement", `a${esc}[2Ab${esc}[1;1Hc`, "abc"],
    ["the window title", `${esc}]0;owned${bell}text`, "text"],
    ["a clipboard write", `${esc}]52;c;ZXZpbA==${esc}\\text`, "text"],
    ["a device control string", `${esc}P1$r0m${esc}\\text`, "text"],
    ["a charset switch", `${esc}(0text`, "text"],
    ["a reset", `${esc}ctext`, "text"],
    ["8-bit sequences", `${String.fromCharCode(0x9b)}31mtext`, "31mtext"],
    ["carriage returns, bells, backspaces", `a\r${bell}b\b\u0000c\u007f`, "abc"],
    ["a sequence that never ends", `text${esc}]0;owned`, "text"],
    ["a new sequence inside a string", `${esc}]0;owned${esc}[31mtext`, "text"],
  ])("removes %s", (_what, text, shown) => {
    expect(withoutControls(text)).toBe(shown);
  });

  it("keeps newlines, tabs and every other character", () => {
    const text = "a\n\tб 漢 👩‍👩‍👧 é \u200f";
    expect(withoutControls(text)).toBe(text);
  });

  it("does not lose text after a sequence too long to be one", () => {
    const text = `${esc}]0;${"x".repeat(10_000)} the end`;
    expect(withoutControls(text)).toContain(" the end");
  });

  it("leaves nothing a terminal acts on, whatever the text", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(esc, "[", "]", "31m", bell, "\\", "P", "\n"),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expect([...withoutControls(pieces.join(""))].some(isControl)).toBe(false);
      }),
    );
  });
});

describe("ControlCharacterFilter", () => {
  it("shows the same whatever pieces the text comes in", () => {
    const part = fc.constantFrom(esc, "[", "31", "m", "]", "0;", bell, "\\", "a", "\n", "(", "P");
    fc.assert(
      fc.property(fc.array(part), fc.array(fc.nat(10)), (parts, cuts) => {
        const text = parts.join("");
        const filter = new ControlCharacterFilter();
        let shown = "";
        let index = 0;
        for (const cut of cuts) {
          shown += filter.push(text.slice(index, index + cut));
          index += cut;
        }
        shown += filter.push(text.slice(index));
        expect(shown).toBe(withoutControls(text));
      }),
    );
  });

  it("holds back no more than one sequence", () => {
    const filter = new ControlCharacterFilter();
    expect(filter.push(`a${esc}`)).toBe("a");
    expect(filter.push("[3")).toBe("");
    expect(filter.push("1mb")).toBe("b");
  });
});

describe("withVisibleControls", () => {
  it("writes controls, direction marks and characters without width as escapes", () => {
    expect(withVisibleControls(`a\u202eb\u200bc${esc}[1m`)).toBe("a\\u{202e}b\\u{200b}c\\u{1b}[1m");
  });

  it("leaves nothing a terminal acts on", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(
          [...withVisibleControls(text)].some((character) => isControl(character) || character === "\n"),
        ).toBe(false);
      }),
    );
  });
});
