import type { FoundCall, ReplyText } from "./found.js";
import type { TextSearch } from "./text-search.js";

/** What the readers of marks are given. */
export interface TokenContext {
  reply: ReplyText;
  text: string;
  search: TextSearch;
}

/** The calls behind a mark and the index after them; that the mark stands around another; or why it cannot be read. */
export type TokenReading =
  | { kind: "container" }
  | { kind: "calls"; calls: FoundCall[]; end: number; complete: boolean }
  | { kind: "malformed"; reason: string; complete: boolean };

/** A family of models, the mark its calls begin with, and how they are read. */
export interface TokenDialect {
  /** The models that are trained on it. */
  models: string;
  /** How a call looks. */
  form: string;
  /** The source of a regular expression for the mark. */
  opener: string;
  /** Reads the calls behind a mark; undefined when the mark is a part of ordinary text. */
  read(context: TokenContext, mark: RegExpExecArray): TokenReading | undefined;
}

/** A sentence for the model about JSON behind a mark. */
export function unreadable(mark: string, reason: string, complete: boolean): TokenReading {
  return {
    kind: "malformed",
    reason: `The JSON of the call behind ${mark} cannot be read. ${reason}`,
    complete,
  };
}
