import type { Program, Statement } from "acorn";
import { type BlockedCall, insertAwaits } from "./awaits.js";
import { rewriteDeclarations } from "./declarations.js";
import { blank, Edits } from "./edits.js";
import {
  CellSyntaxError,
  cellStart,
  childrenOf,
  isFunctionLike,
  type ParsedCell,
  parseCell,
} from "./syntax.js";

/** A cell in the form in which the interpreter runs it. Lines are those of the cell. */
export interface PreparedCell {
  /** Names that must exist, undefined at first, before anything runs. */
  variables: string[];
  /** A script that defines the function declarations; empty when there are none. */
  functions: string;
  /** A script whose value is the promise of `[value]`, or of undefined when the cell has no value. */
  body: string;
  /** Names the cell declares although they are the host's. */
  redeclared: string[];
  /** Calls of host functions whose promise nobody can have waited for. */
  blocked: BlockedCall[];
}

/** What the cell may count on. */
export interface PrepareOptions {
  /** Names of host functions, whose calls get `await` where it is missing. */
  functions: ReadonlySet<string>;
  /** Names that a cell cannot declare. */
  reserved: ReadonlySet<string>;
  insertAwait: boolean;
}

/** Longest code of one cell, in characters: parsing takes memory that the limits of the guest do not see. */
export const maxCodeChars = 1_000_000;

/**
 * Rewrites a cell so that its declarations last, `await` works at the top level, and the value of the last expression
 * is known. Throws a {@link CellSyntaxError}.
 */
export function prepareCell(code: string, options: PrepareOptions): PreparedCell {
  if (code.length > maxCodeChars) {
    throw new CellSyntaxError(`The code is longer than ${maxCodeChars} characters. Pass data by variables.`);
  }
  try {
    return rewrite(parseCell(code), options);
  } catch (error) {
    if (error instanceof RangeError) throw new CellSyntaxError("The code is nested too deeply.");
    throw error;
  }
}

function rewrite(
  { program, text }: ParsedCell,
  { functions, reserved, insertAwait }: PrepareOptions,
): PreparedCell {
  // Outer changes come first: what is opened first stays outside.
  const edits = new Edits(text);
  captureReturns(program, edits);
  const captured = captureValue(program, text, edits);
  const declared = rewriteDeclarations(program, text, edits);
  const blocked = insertAwait ? insertAwaits(program, functions, edits, captured) : [];

  let hoisted = "";
  let body = "";
  let at = cellStart.length;
  for (const { start, end } of declared.functions) {
    hoisted += blank(text.slice(at, start)) + edits.render(start, end);
    // The semicolon keeps what stands before from running on into what stands behind.
    body += `${edits.render(at, start)};${blank(text.slice(start, end))}`;
    at = end;
  }
  body += edits.render(at);
  return {
    variables: [...declared.variables],
    functions: hoisted,
    // The semicolon makes a leading "use strict" an ordinary expression: undeclared names must stay assignable.
    body: `${cellStart};${body}\n})()`,
    redeclared: [...declared.names].filter((name) => reserved.has(name)),
    blocked,
  };
}

/** Boxes the value of the last statement when that is an expression. A box keeps a promise from being waited for. */
function captureValue(program: Program, text: string, edits: Edits): Statement | undefined {
  const last = program.body.findLast(
    ({ type }) => type !== "EmptyStatement" && type !== "FunctionDeclaration",
  );
  if (last?.type !== "ExpressionStatement") return undefined;
  edits.open(last.start, "return [(");
  const end = text[last.end - 1] === ";" ? last.end - 1 : last.end;
  edits.close(end, ")]");
  return last;
}

/** Boxes what `return` at the top level gives; the cell ends there. */
function captureReturns(program: Program, edits: Edits): void {
  const visit = (node: Statement | Program) => {
    if (node.type === "ReturnStatement" && node.argument) {
      edits.open(node.argument.start, "[(");
      edits.close(node.argument.end, ")]");
    }
    if (isFunctionLike(node)) return;
    for (const child of childrenOf(node)) visit(child as Statement);
  };
  visit(program);
}
