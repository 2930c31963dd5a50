import { inspect } from "node:util";
import { errorText, isJarvisError, JarvisError } from "@openjarvis/core";
import { withoutControls } from "./control-characters.js";
import { exitCodes } from "./exit-codes.js";
import type { Terminal } from "./terminal.js";

/** A mistake on the command line. */
export function usageError(message: string, hint: string): JarvisError {
  return new JarvisError("OJ_USAGE", message, { hint });
}

/** What was thrown, as one of our errors. */
export function toJarvisError(error: unknown, program: string): JarvisError {
  if (isJarvisError(error)) return error;
  return new JarvisError("OJ_INTERNAL", errorText(error), {
    cause: error,
    hint: `Please report it with this message and the output of "${program} doctor --json". OPENJARVIS_DEBUG=1 prints the stack.`,
  });
}

/** What the process ends with after an error. */
export function exitCodeOf(error: JarvisError): number {
  return error.code === "OJ_USAGE" || error.code === "OJ_OPTION" ? exitCodes.usage : exitCodes.failed;
}

/** An error as programs read it. */
export function failureJson(error: JarvisError): object {
  const details = Object.keys(error.details).length > 0 ? { details: error.details } : {};
  return { error: { code: error.code, message: error.message, hint: error.hint, ...details } };
}

/** Writes an error to standard error: code, message and the indented hint; the stack only when it is asked for. */
export function printFailure(terminal: Terminal, error: JarvisError, options: { stack: boolean }): void {
  terminal.noteStyled(`${terminal.noteStyle("red", error.code)}  ${withoutControls(error.message)}`);
  if (error.hint !== "") terminal.note(indent(error.hint));
  if (options.stack)
    terminal.note(inspect(error.code === "OJ_INTERNAL" ? (error.cause ?? error) : error), "dim");
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}
