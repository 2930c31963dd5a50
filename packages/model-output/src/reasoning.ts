/** A model's text, with what it thought apart from what it says. */
export interface SplitText {
  /** The answer. Unchanged when there was no reasoning; otherwise without white space at its ends. */
  text: string;
  /** What stood between reasoning tags, blocks joined by a line break. */
  reasoning: string;
}

/**
 * Separates reasoning from the answer. Tags are `think`, `thinking`, `thought` and `reasoning` in angle brackets, and
 * Mistral's `[THINK]`, in any case.
 *
 * - A block that is never closed is reasoning to its end.
 * - A closing tag without an opening one (the opening tag stood in the prompt template) makes all before it reasoning.
 * - Tags inside code spans and code fences are part of the answer.
 *
 * Takes time linear in the length of the text.
 */
export function splitReasoning(text: string): SplitText {
  if (!mayHoldTag.test(text)) return { text, reasoning: "" };
  const splitter = new ReasoningSplitter();
  const pieces = [...splitter.push(text), ...splitter.end()];
  const answer: string[] = [];
  const reasoning: string[] = [];
  let touched = false;
  for (const piece of pieces) {
    if (piece.kind === "text") {
      answer.push(piece.text);
      continue;
    }
    touched = true;
    // What came before a lone closing tag turns out to have been reasoning.
    if (piece.kind === "retract") reasoning.push(answer.splice(0).join("").trim());
    else if (piece.kind === "reasoning") reasoning.push(piece.text);
    else reasoning.push("\n");
  }
  if (!touched) return { text, reasoning: "" };
  return { text: answer.join("").trim(), reasoning: reasoning.join("").trim() };
}

const mayHoldTag = /<\/?(?:think|thought|reason)|\[\/?THINK\]/i;

/** A piece of a stream: text, reasoning, the end of a block, or word that all text so far was reasoning. */
export type StreamPiece =
  | { kind: "text"; text: string }
  | { kind: "reasoning"; text: string }
  | { kind: "boundary" }
  | { kind: "retract" };

const token = /`+|~{3,}|\n|<(\/?)(?:think|thinking|thought|reasoning)\s*>|\[(\/?)THINK\]/gi;

/** The longest text that may turn out to be the beginning of a tag, a fence or a run of backticks. */
const undecided = /(?:`+|~+|<\/?[a-z]{0,9}\s{0,8}|\[\/?[a-z]{0,5})$/i;

/** The same separation as {@link splitReasoning}, piece by piece, for answers that are shown as they arrive. */
export class ReasoningSplitter {
  #held = "";
  #depth = 0;
  /** The backticks or tildes that opened the code span or fence the text is in; empty outside. */
  #code = "";
  #fenced = false;
  #lineStart = true;

  /** Takes the next piece of the stream. */
  push(chunk: string): StreamPiece[] {
    const input = this.#held + chunk;
    const keep = undecided.exec(input.slice(-24));
    const length = input.length - (keep?.[0].length ?? 0);
    this.#held = input.slice(length);
    return this.#scan(input.slice(0, length));
  }

  /** What was still held back, once the stream has ended. */
  end(): StreamPiece[] {
    const rest = this.#held;
    this.#held = "";
    return this.#scan(rest);
  }

  #scan(input: string): StreamPiece[] {
    const pieces: StreamPiece[] = [];
    let position = 0;
    const emit = (end: number) => {
      if (end > position) pieces.push(this.#piece(input.slice(position, end)));
      position = end;
    };
    for (const match of input.matchAll(token)) {
      const found = match[0];
      const start = match.index;
      if (start > position && input.slice(position, start).trim() !== "") this.#lineStart = false;
      const first = found[0];
      if (first === "<" || first === "[") {
        if (this.#code !== "") continue;
        const closing = (match[1] ?? match[2]) === "/";
        emit(start);
        position = start + found.length;
        this.#tag(closing, pieces);
        this.#lineStart = false;
        continue;
      }
      this.#mark(found);
      emit(start + found.length);
    }
    if (position < input.length && input.slice(position).trim() !== "") this.#lineStart = false;
    emit(input.length);
    return pieces;
  }

  #tag(closing: boolean, pieces: StreamPiece[]): void {
    if (!closing) {
      this.#depth += 1;
      return;
    }
    if (this.#depth === 0) pieces.push({ kind: "retract" });
    else this.#depth -= 1;
    if (this.#depth === 0) pieces.push({ kind: "boundary" });
  }

  /** Follows code spans and fences; inside reasoning they mean nothing, since models leave them unbalanced there. */
  #mark(found: string): void {
    if (found === "\n") {
      // A span that the line does not close was a stray backtick.
      if (!this.#fenced) this.#code = "";
      this.#lineStart = true;
      return;
    }
    if (this.#depth > 0) return;
    if (this.#code === "") {
      if (found[0] === "~" && !this.#lineStart) return;
      this.#fenced = this.#lineStart && found.length >= 3;
      this.#code = found;
    } else if (this.#closes(found)) {
      this.#code = "";
      this.#fenced = false;
    }
    this.#lineStart = false;
  }

  #closes(found: string): boolean {
    if (found[0] !== this.#code[0]) return false;
    return this.#fenced
      ? this.#lineStart && found.length >= this.#code.length
      : found.length === this.#code.length;
  }

  #piece(text: string): StreamPiece {
    return this.#depth > 0 ? { kind: "reasoning", text } : { kind: "text", text };
  }
}
