import { JarvisError } from "@openjarvis/core";
import { providedNames } from "./provided-names.js";

const keywords = new Set(
  (
    "await break case catch class const continue debugger default delete do else enum export extends false finally " +
    "for function if import in instanceof let new null return static super switch this throw true try typeof var " +
    "void while with yield arguments eval undefined NaN Infinity globalThis"
  ).split(" "),
);

/** Throws `OJ_OPTION` unless code can use `name` for something that the host gives. */
export function checkGuestName(what: string, name: string): void {
  const isIdentifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) && !keywords.has(name);
  if (isIdentifier && !providedNames.includes(name)) return;
  const why = isIdentifier ? "the sandbox provides it itself" : "it is no JavaScript identifier";
  throw new JarvisError("OJ_OPTION", `${what} cannot be named ${JSON.stringify(name)}: ${why}.`);
}
