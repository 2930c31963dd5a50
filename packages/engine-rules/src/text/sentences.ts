const abbreviations = new Set(
  "mr mrs ms dr prof sr jr st vs etc e.g i.e no fig al inc ltd co corp approx dept est u.s u.k a.m p.m".split(
    " ",
  ),
);
const terminators = ".!?";
const fullWidth = "。！？";
const closers = "\"')]”’»";

/**
 * The sentences of a text, white space inside them made single. A sentence ends at a full stop, question or
 * exclamation mark before white space, at a blank line, and before a list item or heading. Linear in the text.
 */
export function splitSentences(text: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  const end = (at: number) => {
    const sentence = text.slice(start, at).split(/\s+/).filter(Boolean).join(" ");
    if (/[\p{L}\p{N}]/u.test(sentence)) sentences.push(sentence);
    start = at;
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (fullWidth.includes(character)) {
      end(at + 1);
    } else if (character === "\n") {
      if (endsLine(text, at)) end(at + 1);
    } else if (terminators.includes(character)) {
      let after = at + 1;
      while (after < text.length && (terminators + closers).includes(text.charAt(after))) after += 1;
      const ends = after >= text.length || /\s/.test(text.charAt(after));
      if (ends && !(character === "." && after === at + 1 && isAbbreviation(text, at))) end(after);
      at = after - 1;
    }
  }
  end(text.length);
  return sentences;
}

/** Whether a line break is more than a wrapped line: a blank line, a list item or a heading follows. */
function endsLine(text: string, at: number): boolean {
  return /^(?:[ \t\r]{0,9}\n|[ \t]{0,9}(?:[-*+•#]|\d{1,3}[.)])[ \t#])/.test(text.slice(at + 1, at + 24));
}

function isAbbreviation(text: string, dot: number): boolean {
  const before = /(?:^|[\s("'])([\p{L}.]{1,6})$/u.exec(text.slice(Math.max(0, dot - 8), dot))?.[1];
  if (before === undefined) return false;
  return abbreviations.has(before.toLowerCase()) || /^\p{Lu}$/u.test(before);
}
