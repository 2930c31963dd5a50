// Text of models, tools and servers may carry escape sequences that move the cursor, rewrite what stands above, set the
// clipboard or the window title. None of that may reach a terminal.

/** The longest escape sequence that is looked through for its end; a longer one is not one. */
const maxSequence = 4096;

const escapeCharacter = "\u001b";
const bell = "\u0007";

/** Removes control characters and escape sequences from text that arrives in pieces. Newlines and tabs stay. */
export class ControlCharacterFilter {
  #held = "";

  /** The part of the text so far that can be shown. An escape sequence that is not complete is held back. */
  push(piece: string): string {
    const text = this.#held + piece;
    this.#held = "";
    let shown = "";
    let index = 0;
    while (index < text.length) {
      const next = nextControl(text, index);
      shown += text.slice(index, next);
      if (next === text.length) break;
      if (text[next] !== escapeCharacter) {
        index = next + 1;
        continue;
      }
      const end = sequenceEnd(text, next);
      if (end === undefined) {
        this.#held = text.slice(next);
        break;
      }
      index = end;
    }
    return shown;
  }

  /** The end of the text: what was held back is an escape sequence without an end, and is not shown. */
  end(): void {
    this.#held = "";
  }
}

/** Text without control characters and escape sequences; newlines and tabs stay. */
export function withoutControls(text: string): string {
  return new ControlCharacterFilter().push(text);
}

/**
 * Text with every character that is not plainly visible written as an escape: controls, marks of direction, characters
 * without width. For what a person decides by, such as the arguments of a tool call.
 */
export function withVisibleControls(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** The index of the next character that must not be shown, from `start` on; the length of the text when there is none. */
function nextControl(text: string, start: number): number {
  for (let index = start; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20 ? code !== 0x0a && code !== 0x09 : code >= 0x7f && code <= 0x9f) return index;
  }
  return text.length;
}

/** Where the escape sequence at `start` is over, or nothing while more text is needed to tell. */
function sequenceEnd(text: string, start: number): number | undefined {
  const kind = text[start + 1];
  if (kind === undefined) return undefined;
  if (kind === "[") return controlSequenceEnd(text, start);
  // OSC, DCS, SOS, PM and APC run to a bell or a string terminator.
  if ("]PX^_".includes(kind)) return stringEnd(text, start);
  // Others are the escape, intermediate characters and a final one.
  let index = start + 1;
  while (index < text.length && isBetween(text, index, 0x20, 0x2f)) index += 1;
  if (index >= text.length) return index - start > maxSequence ? start + 1 : undefined;
  return isBetween(text, index, 0x30, 0x7e) ? index + 1 : start + 1;
}

function controlSequenceEnd(text: string, start: number): number | undefined {
  for (let index = start + 2; index < text.length; index += 1) {
    if (isBetween(text, index, 0x40, 0x7e)) return index + 1;
    if (!isBetween(text, index, 0x20, 0x3f)) return index;
    if (index - start > maxSequence) return start + 1;
  }
  return undefined;
}

function stringEnd(text: string, start: number): number | undefined {
  for (let index = start + 2; index < text.length; index += 1) {
    if (text[index] === bell) return index + 1;
    if (text[index] === escapeCharacter) {
      if (index + 1 >= text.length) return undefined;
      return text[index + 1] === "\\" ? index + 2 : index;
    }
    if (index - start > maxSequence) return start + 1;
  }
  return undefined;
}

function isBetween(text: string, index: number, low: number, high: number): boolean {
  const code = text.charCodeAt(index);
  return code >= low && code <= high;
}
