import { clip } from "./strict-json.js";

/** What a model meant by a tool's name. */
export interface ResolvedName {
  /** The tool's own name; for a tool that does not exist, the name as written, without its decoration. */
  name: string;
  /** Whether there is such a tool. */
  known: boolean;
}

const prefixes = /^(?:functions?|tools?)[./:]\s*/i;
const decoration = /^[\s"'`*_“”‘’[{<]+|[\s"'`*“”‘’\]}>.,:;!]+$/g;
const politeWords = /^(?:(?:use|call|run|invoke|using)\s+)?(?:the\s+)?/i;
const kind = /\s+(?:tool|function)$/i;
/** `(best)`, `- because …`, `:0`: what models append to a name. */
const annotation = /(?:\s*\([^()]*\)?|\s+[-–—]\s.*|:\d+)$/;
const longestName = 64;
const mostRemembered = 100;

/** The tools of a run, looked up by what models write for their names. */
export class ToolNames {
  readonly #exact: Set<string>;
  /** Names by their letters and digits in lower case; undefined where two tools share them. */
  readonly #plain = new Map<string, string | undefined>();
  /** What was looked up before: a reply names few tools, but may name them often. */
  readonly #resolved = new Map<string, ResolvedName>();

  constructor(names: Iterable<string>) {
    this.#exact = new Set(names);
    for (const name of this.#exact) {
      const plain = plainName(name);
      this.#plain.set(plain, this.#plain.has(plain) ? undefined : name);
    }
  }

  /** All names, in their order. */
  get all(): readonly string[] {
    return [...this.#exact];
  }

  /**
   * Finds the tool that a name stands for: the exact name; the name without quotes, markup, a `functions.` prefix, an
   * annotation as in `calculator (best)`, "the … tool" around it; the name in another case or with other separators;
   * the beginning of exactly one name, from four letters on. Never one of several.
   */
  resolve(written: string): ResolvedName {
    const line = written.slice(0, 400);
    if (this.#exact.has(line)) return { name: line, known: true };
    const before = this.#resolved.get(line);
    if (before !== undefined) return before;
    const resolved = this.#find(line);
    if (this.#resolved.size < mostRemembered) this.#resolved.set(line, resolved);
    return resolved;
  }

  #find(line: string): ResolvedName {
    const names = candidates(line);
    for (const candidate of names) {
      if (this.#exact.has(candidate)) return { name: candidate, known: true };
      const plain = plainName(candidate);
      const found = plain === "" ? undefined : this.#plain.get(plain);
      if (found !== undefined) return { name: found, known: true };
    }
    const bare = names.at(-1) ?? "";
    return this.#byBeginning(bare) ?? { name: clip(bare, longestName), known: false };
  }

  #byBeginning(name: string): ResolvedName | undefined {
    const plain = plainName(name);
    if (plain.length < 4 || plain.length > longestName) return undefined;
    const found = [...this.#exact].filter((tool) => plainName(tool).startsWith(plain));
    const [only] = found;
    return found.length === 1 && only !== undefined ? { name: only, known: true } : undefined;
  }
}

/**
 * Finds the tool that a written name stands for, see {@link ToolNames.resolve}.
 *
 * @example
 * resolveToolName("`functions.Calculator` (best)", ["calculator"]); // { name: "calculator", known: true }
 */
export function resolveToolName(written: string, names: Iterable<string>): ResolvedName {
  return new ToolNames(names).resolve(written);
}

function candidates(line: string): string[] {
  const bare = undecorate(line);
  const plain = undecorate(bare.replace(annotation, ""));
  const words = undecorate(plain.replace(politeWords, "").replace(kind, ""));
  return [bare, plain, words].flatMap((name) => [name, undecorate(name.replace(prefixes, ""))]);
}

function undecorate(text: string): string {
  return text.replace(decoration, "");
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
