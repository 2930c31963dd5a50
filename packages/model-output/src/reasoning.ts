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
 * - Tags inside code spans and code fences are part of the answer. A backtick that nothing on its line closes protects
 *   the tags to the end of that line.
 *
 * Takes time linear in the length of the text.
 */
export function splitReasoning(text: string): SplitText {
  if (!mayHoldTag.test(text)) return { text, reasoning: "" };
  const splitter = new ReasoningSplitter();
  const pieces = [...splitter.push(text), ...splitter.end()];
  const answer: string[] = [];
  const reasoning: string[] = [];
  for (const piece of pieces) {
    if (piece.kind === "text") answer.push(piece.text);
    // What came before a lone closing tag turns out to have been reasoning.
    else if (piece.kind === "retract") reasoning.push(answer.splice(0).join("").trim());
    else reasoning.push(piece.kind === "reasoning" ? piece.text : "\n");
  }
  const rest = answer.join("");
  if (rest.length === text.length) return { text, reasoning: "" };
  return { text: rest.trim(), reasoning: reasoning.join("").trim() };
}

const mayHoldTag = /<\/?(?:think|thought|reason)|\[\/?THINK\]/i;

/** A piece of a stream: text, reasoning, the end of a block, or word that all text so far was reasoning. */
export type StreamPiece =
  | { kind: "text"; text: string }
  | { kind: "reasoning"; text: string }
  | { kind: "boundary" }
  | { kind: "retract" };

const token = /`+|~+|\n|<(\/?)(?:think|thinking|thought|reasoning)\s{0,8}>|\[(\/?)THINK\]/gi;

/** The longest text that may turn out to be the beginning of a tag. */
const undecided = /(?:<\/?[a-z]{0,9}\s{0,8}|\[\/?[a-z]{0,5})$/i;
const longestTag = 20;

/** The same separation as {@link splitReasoning}, piece by piece, for answers that are shown as they arrive. */
export class ReasoningSplitter {
  #held = "";
  #depth = 0;
  /** The backticks or tildes that opened the code span or fence the text is in; none outside. */
  #code: Run | undefined;
  #fenced = false;
  /** Whether the answer's current line has been blank so far. */
  #lineStart = true;
  /** Backticks or tildes at the end of what was seen, which the next piece may go on with. */
  #run: Run | undefined;

  /** Takes the next piece of the stream. */
  push(chunk: string): StreamPiece[] {
    const input = this.#held + chunk;
    const keep = undecided.exec(input.slice(-longestTag));
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
    let emitted = 0;
    let seen = 0;
    const emit = (end: number) => {
      if (end > emitted) pieces.push(this.#piece(input.slice(emitted, end)));
    };
    for (const match of input.matchAll(token)) {
      const found = match[0];
      const start = match.index;
      if (start > seen) this.#seeText(input.slice(seen, start));
      seen = start + found.length;
      const [first] = found;
      if (first === "`" || first === "~") {
        this.#seeRun(first, found.length);
        continue;
      }
      this.#endRun();
      if (first === "\n") this.#seeLineBreak();
      else if (this.#code !== undefined) this.#lineStart = false;
      else {
        emit(start);
        emitted = seen;
        this.#tag((match[1] ?? match[2]) === "/", pieces);
      }
    }
    if (seen < input.length) this.#seeText(input.slice(seen));
    emit(input.length);
    return pieces;
  }

  #tag(closing: boolean, pieces: StreamPiece[]): void {
    if (!closing) {
      this.#depth += 1;
      return;
    }
    if (this.#depth > 0) this.#depth -= 1;
    else {
      pieces.push({ kind: "retract" });
      this.#lineStart = true;
    }
    if (this.#depth === 0) pieces.push({ kind: "boundary" });
  }

  #seeText(text: string): void {
    this.#endRun();
    if (this.#depth === 0 && text.trim() !== "") this.#lineStart = false;
  }

  #seeLineBreak(): void {
    if (this.#depth > 0) return;
    // A span that the line does not close was a stray backtick.
    if (!this.#fenced) this.#code = undefined;
    this.#lineStart = true;
  }

  #seeRun(mark: string, length: number): void {
    if (this.#run?.mark === mark) {
      this.#run.length += length;
      return;
    }
    this.#endRun();
    this.#run = { mark, length };
  }

  /** Follows code spans and fences; inside reasoning they mean nothing, since models leave them unbalanced there. */
  #endRun(): void {
    const run = this.#run;
    this.#run = undefined;
    if (run === undefined || this.#depth > 0) return;
    const fence = this.#lineStart && run.length >= 3;
    this.#lineStart = false;
    if (this.#code === undefined) {
      if (run.mark === "~" && !fence) return;
      this.#fenced = fence;
      this.#code = run;
    } else if (this.#closes(run, fence, this.#code)) {
      this.#code = undefined;
      this.#fenced = false;
    }
  }

  #closes(run: Run, fence: boolean, opener: Run): boolean {
    if (run.mark !== opener.mark) return false;
    return this.#fenced ? fence && run.length >= opener.length : run.length === opener.length;
  }

  #piece(text: string): StreamPiece {
    return this.#depth > 0 ? { kind: "reasoning", text } : { kind: "text", text };
  }
}

/** A run of backticks or tildes. */
interface Run {
  mark: string;
  length: number;
}
