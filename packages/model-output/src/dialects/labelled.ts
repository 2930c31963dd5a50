import { readCall, readCallArguments, type WrittenCall } from "../call-syntax.js";
import { FenceClosers } from "../fences.js";
import { parseLooseJson } from "../loose-json.js";
import { closeEmphasis, declinesAction, endsWithAnswer, leadingName, readActionLine } from "./action-line.js";
import { readCallObjects } from "./call-objects.js";
import { type Found, type FoundCall, maxCalls, type ReplyText } from "./found.js";
import { readInlineAnswer, readInlineCall } from "./inline-labels.js";
import { InputReader, type LabelledInput } from "./labelled-input.js";
import { type Labels, type Marker, MarkerScanner } from "./markers.js";

/** A dialect of labelled lines. */
export interface LabelledForm {
  labels: Labels;
  /** The labels as prompts write them, for sentences to the model. */
  words: { action: string; input: string; final: string };
}

/** What a label leads to: the next label, nothing, or an answer at once. */
type Step = Marker | { found: Found } | undefined;

/** After so many labels the rest of a reply is no longer looked at. */
const maxMarkers = 2000;

/**
 * Reads labelled lines in their order. The earlier of an action and an answer wins; what follows an observation that
 * the model wrote itself is not read; several actions are all read. Labels count only at the start of a line, and an
 * `Action:` line without input that names no tool is prose unless other labels show the form.
 */
export function readLabelled(reply: ReplyText, form: LabelledForm): Found | undefined {
  return new LabelledReader(reply, form).read();
}

class LabelledReader {
  readonly #reply: ReplyText;
  readonly #form: LabelledForm;
  readonly #text: string;
  readonly #scanner: MarkerScanner;
  readonly #inputs: InputReader;
  readonly #thoughts: string[] = [];
  /** Text outside labels: the answer, when the model says that no tool is needed. */
  readonly #plain: string[] = [];
  readonly #calls: FoundCall[] = [];
  #end = 0;
  #complete = true;
  /** Whether a label has shown that the reply keeps to the form. */
  #formed = false;
  #declined = false;
  #problem: string | undefined;

  constructor(reply: ReplyText, form: LabelledForm) {
    this.#reply = reply;
    this.#form = form;
    this.#text = reply.text;
    this.#scanner = new MarkerScanner(reply.text, form.labels);
    this.#inputs = new InputReader(reply.text, {
      closers: new FenceClosers(reply.text),
      isWhole: reply.isWhole,
    });
  }

  read(): Found | undefined {
    const first = this.#next(0);
    if (first === undefined) return readInlineCall(this.#reply, this.#form);
    // A fence around the whole reply is no thought.
    this.#think(this.#text.slice(0, first.start).replace(/^\s*(?:`{3,}|~{3,})[^\r\n]*\s*$/, ""));
    let marker: Marker | undefined = first;
    for (let count = 0; marker !== undefined && count < maxMarkers; count += 1) {
      const step: Step = this.#step(marker, first.start);
      if (step !== undefined && "found" in step) return step.found;
      marker = step;
    }
    return this.#result(first.start);
  }

  #result(start: number): Found | undefined {
    const thought = this.#thoughts.join("\n");
    if (this.#calls.length > 0) {
      return { kind: "calls", start, end: this.#end, calls: this.#calls, thought, complete: this.#complete };
    }
    const text = this.#plain.join("\n").trim();
    if (this.#declined && text !== "") return { kind: "final", start, end: this.#text.length, text, thought };
    const inline = readInlineCall(this.#reply, this.#form);
    if (inline !== undefined || !this.#formed) return inline;
    const answer = readInlineAnswer(this.#reply, this.#form);
    if (answer !== undefined) return answer;
    const { action, final } = this.#form.words;
    const reason =
      this.#problem ?? `The reply has neither ${action}: with a tool nor ${final}: with an answer.`;
    return {
      kind: "malformed",
      start,
      reason,
      remainder: text === "" ? thought : text,
      thought,
      complete: false,
    };
  }

  #step(marker: Marker, start: number): Step {
    const { words } = this.#form;
    switch (marker.kind) {
      case "thought": {
        // Behind other text, "Thoughts:" may be a heading in an answer.
        this.#formed ||=
          this.#thoughts.length === 0 || !/thoughts/i.test(this.#text.slice(marker.start, marker.value));
        const next = this.#next(marker.value);
        this.#think(closeEmphasis(this.#text.slice(marker.value, next?.start).trim(), marker.emphasis));
        return next;
      }
      case "observation": {
        // At the very start a model repeats what it was told; anywhere else it makes up what a tool would say.
        if (!this.#formed && this.#calls.length === 0 && this.#thoughts.length === 0)
          return this.#next(marker.value);
        if (!this.#formed) return this.#prose(marker);
        this.#problem ??= "You wrote an Observation yourself; only the results of tools are observations.";
        return undefined;
      }
      case "action":
        return this.#action(marker, start);
      case "input":
        this.#formed = true;
        this.#problem ??= `${words.input}: stands without ${words.action}: before it.`;
        return this.#next(marker.value);
      case "final":
      case "answer": {
        if (this.#calls.length > 0) return undefined;
        this.#formed = true;
        const end = this.#answerEnd(marker);
        const text = closeEmphasis(this.#text.slice(marker.value, end).trim(), marker.emphasis);
        if (text !== "") return this.#answer(start, end, text);
        this.#problem ??= `Nothing stands after ${words.final}:.`;
        return this.#next(marker.value);
      }
      default:
        return this.#prose(marker);
    }
  }

  /** Takes the text from `from` on, up to the next label, for prose. */
  #prose(marker: Marker, from: number = marker.value): Marker | undefined {
    const next = this.#next(marker.value);
    this.#plain.push(this.#text.slice(from, next?.start).trim());
    return next;
  }

  #answer(start: number, end: number, text: string): Step {
    return { found: { kind: "final", start, end, text, thought: this.#thoughts.join("\n") } };
  }

  #action(marker: Marker, start: number): Step {
    const next = this.#next(marker.value, true);
    const limit = next?.start ?? this.#text.length;
    const objects = this.#objects(marker.value, limit);
    if (objects !== undefined) return this.#add(objects, marker, { end: limit, complete: true }, next);
    const { name, start: from, end } = readActionLine(this.#text, marker, limit);
    const given = next?.kind === "input" || next?.kind === "params" ? next : undefined;
    const known = this.#reply.knows(name);
    const call = readCall(this.#text, marker.value, limit);
    if (!known && declinesAction(name)) return this.#decline(end, limit, given);
    if (!known && endsWithAnswer(call?.name ?? name)) {
      if (this.#calls.length > 0) return undefined;
      const input = call === undefined && given !== undefined ? this.#input(given) : undefined;
      const text = (input?.text ?? call?.inside ?? this.#text.slice(end, limit)).trim();
      if (text !== "") return this.#answer(start, input?.end ?? call?.end ?? limit, text);
    }
    if (name === "") {
      this.#formed = true;
      this.#problem ??= `${this.#form.words.action}: names no tool.`;
      return next;
    }
    if (given !== undefined) return this.#withInput(marker, call, name, given);
    if (call !== undefined && (this.#reply.knows(call.name) || (!known && this.#formed))) {
      return this.#asCode(marker, call, next);
    }
    if (known) return this.#withoutInput(marker, { name, end, limit, next });
    const led = leadingName(name, this.#reply);
    if (led !== undefined) {
      const input = this.#inputs.read(from + led.length, limit);
      return this.#add([{ name: led, input: input.text, raw: "" }], marker, input, next);
    }
    // A model that goes on to its answer has not called anything.
    if (!this.#formed || next?.kind === "final") return this.#prose(marker, marker.start);
    return this.#add([{ name, input: undefined, raw: "" }], marker, { end, complete: end < limit }, next);
  }

  #withInput(marker: Marker, call: WrittenCall | undefined, name: string, given: Marker): Marker | undefined {
    const input = this.#input(given);
    const written = call !== undefined && this.#reply.knows(call.name) ? call : undefined;
    // `Action: calculator(2+2)` with an empty input line has its arguments in the brackets.
    const inside = written !== undefined && input.text === "" ? written.inside : undefined;
    const found = { name: written?.name ?? name, input: inside ?? input.text, raw: "" };
    return this.#add([found], marker, input, this.#next(input.end));
  }

  /** A tool without an input label: its arguments may stand below its name as an object or in a fence. */
  #withoutInput(
    marker: Marker,
    { name, end, limit, next }: { name: string; end: number; limit: number; next: Marker | undefined },
  ): Marker | undefined {
    const hasInput = /^\s*(?:[{[]|```|~~~)/.test(this.#text.slice(end, Math.min(limit, end + 200)));
    const input = hasInput ? this.#inputs.read(end, limit) : undefined;
    const span = input ?? { end, complete: end < this.#text.length };
    return this.#add([{ name, input: input?.text, raw: "" }], marker, span, next);
  }

  #asCode(marker: Marker, call: WrittenCall, next: Marker | undefined): Marker | undefined {
    const read = readCallArguments(call.inside, this.#reply.parameters(call.name));
    const found: FoundCall = read.ok
      ? { name: call.name, input: read.arguments, raw: "" }
      : { name: call.name, input: call.inside, problem: read.reason, raw: "" };
    return this.#add([found], marker, { end: call.end, complete: true }, next);
  }

  #add(
    calls: FoundCall[],
    marker: Marker,
    { end, complete }: { end: number; complete: boolean },
    next: Marker | undefined,
  ): Marker | undefined {
    this.#formed = true;
    const raw = this.#text.slice(marker.start, end).trim();
    for (const call of calls) if (this.#calls.length < maxCalls) this.#calls.push({ ...call, raw });
    this.#end = end;
    this.#complete = complete || next !== undefined;
    return this.#calls.length < maxCalls ? next : undefined;
  }

  /** An action that says that there is none: what stands around its lines is the answer. */
  #decline(end: number, limit: number, given: Marker | undefined): Marker | undefined {
    this.#formed = true;
    this.#declined = true;
    this.#problem ??= `${this.#form.words.action}: names no tool, and there is no ${this.#form.words.final}:.`;
    this.#plain.push(this.#text.slice(end, limit).trim());
    if (given === undefined) return this.#next(limit);
    const next = this.#next(given.value);
    const value = this.#text.slice(given.value, next?.start);
    this.#plain.push(value.replace(/^[^\r\n]*/, "").trim());
    return next;
  }

  /** Calls that stand as JSON where a name was expected. */
  #objects(from: number, limit: number): FoundCall[] | undefined {
    const head = this.#text.slice(from, Math.min(limit, from + 200));
    if (!/^\s*(?:(?:```|~~~)[^\r\n]*\s*)?[{[]/.test(head)) return undefined;
    const { text } = this.#inputs.read(from, limit);
    const read = parseLooseJson(text);
    const objects = read.ok ? readCallObjects(read.value, this.#reply, text) : undefined;
    return objects?.kind === "calls" ? objects.calls : undefined;
  }

  #input(marker: Marker): LabelledInput {
    const input = this.#inputs.read(marker.value, this.#next(marker.value)?.start ?? this.#text.length);
    return { ...input, text: closeEmphasis(input.text, marker.emphasis) };
  }

  /** Where an answer ends: at the end of the text, or where the model begins another round. */
  #answerEnd(marker: Marker): number {
    let next = this.#scanner.next(marker.value);
    for (let count = 0; next !== undefined && count < maxMarkers; count += 1) {
      const after: Marker | undefined = this.#scanner.next(next.value);
      if (next.kind === "thought" || next.kind === "final" || next.kind === "break") return next.start;
      if (next.kind === "action" && (after?.kind === "input" || after?.kind === "params")) return next.start;
      next = after;
    }
    return this.#text.length;
  }

  /** The next label. `Input:` counts only after an action, `Answer:` only after a thought. */
  #next(from: number, afterAction = false): Marker | undefined {
    let marker = this.#scanner.next(from);
    for (let count = 0; marker !== undefined && count < maxMarkers; count += 1) {
      if (marker.kind !== "params" && marker.kind !== "answer") return marker;
      if (marker.kind === "params" && afterAction) return marker;
      if (marker.kind === "answer" && this.#formed) return marker;
      marker = this.#scanner.next(marker.value);
    }
    return undefined;
  }

  #think(text: string): void {
    if (this.#calls.length === 0 && text.trim() !== "") this.#thoughts.push(text.trim());
  }
}
