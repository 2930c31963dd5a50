import { type AnyNode, type Options, type Program, parse, parseExpressionAt } from "acorn";
import { syntaxHint } from "./syntax-hint.js";

/** A cell that is not JavaScript. */
export class CellSyntaxError extends Error {
  override readonly name = "SyntaxError";
  /** Line from 1 and column from 0; absent when the whole is meant. */
  readonly position: { line: number; column: number } | undefined;

  constructor(message: string, position?: { line: number; column: number }) {
    super(message);
    this.position = position;
  }
}

/** A cell that was parsed. */
export interface ParsedCell {
  program: Program;
  /** The text that the positions of the program's nodes count in: it begins with {@link cellStart}. */
  text: string;
}

/** What a cell stands in when it is parsed: in the end it is the body of such a function. */
export const cellStart = "(async()=>{";
const cellEnd = "\n})";

const options = {
  ecmaVersion: "latest",
  sourceType: "script",
  allowAwaitOutsideFunction: true,
  allowReturnOutsideFunction: true,
  allowHashBang: false,
} as const satisfies Options;

/** Parses a cell. Throws a {@link CellSyntaxError} that says where and, where it can be guessed, why. */
export function parseCell(code: string): ParsedCell {
  // For the grammar this can be an odd template literal.
  if (/^\s*```/.test(code)) throw new CellSyntaxError("Send the code alone, without Markdown fences.");
  const text = cellStart + code;
  const program = parseObjectLiteral(code, text) ?? parseStatements(code, text);
  return { program, text };
}

/**
 * A cell that is nothing but an object literal, as its writer meant it: `{ a: 1 }` is a block for the grammar, and
 * `{ a: 1, b: 2 }` no program at all. Node's own console reads it the same way.
 */
function parseObjectLiteral(code: string, text: string): Program | undefined {
  if (!/^\s*\{/.test(code) || /;\s*$/.test(code)) return undefined;
  try {
    const expression = parseExpressionAt(text, cellStart.length, options);
    const { start, end } = expression;
    if (parse(text.slice(end), options).body.length > 0) return undefined;
    // Alone, it could use await as a name.
    parse(`(async()=>(${text.slice(start, end)}))`, options);
    return programOf([{ type: "ExpressionStatement", start, end, expression }]);
  } catch {
    // It is read as statements then, whose errors are reported.
    return undefined;
  }
}

function parseStatements(code: string, text: string): Program {
  let problem: unknown;
  try {
    const { body } = parse(text + cellEnd, options);
    const [only, more] = body;
    const cell = only?.type === "ExpressionStatement" && more === undefined ? only.expression : undefined;
    if (cell?.type === "ArrowFunctionExpression" && cell.body.type === "BlockStatement") {
      return programOf(cell.body.body);
    }
  } catch (error) {
    problem = error;
  }
  try {
    // Alone, the cell has errors of its own, such as a brace that is missing.
    parse(code, options);
  } catch (error) {
    throw cellSyntaxError(error, code, 0);
  }
  throw cellSyntaxError(problem, code, cellStart.length);
}

function programOf(body: Program["body"]): Program {
  const [start, end] = [body[0]?.start ?? cellStart.length, body.at(-1)?.end ?? cellStart.length];
  return { type: "Program", sourceType: "script", start, end, body };
}

/** `offset` is the length of what stood before the cell on its first line. */
function cellSyntaxError(error: unknown, code: string, offset: number): CellSyntaxError {
  if (error instanceof RangeError) return new CellSyntaxError("The code is nested too deeply.");
  if (error === undefined) return new CellSyntaxError("The code is no list of statements.");
  if (!(error instanceof SyntaxError)) throw error;
  const { pos, loc } = error as SyntaxError & { pos?: number; loc?: { line: number; column: number } };
  const message = error.message.replace(/ \(\d+:\d+\)$/, "");
  const hint = syntaxHint(code, message, (pos ?? 0) - offset);
  const position = loc?.line === 1 ? { line: 1, column: loc.column - offset } : loc;
  return new CellSyntaxError(hint === undefined ? message : `${message}. ${hint}`, position);
}

/** The nodes right below a node, in the order of the text. */
export function childrenOf(node: AnyNode): AnyNode[] {
  const children: AnyNode[] = [];
  for (const value of Object.values(node) as unknown[]) {
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (isNode(item)) children.push(item);
    }
  }
  return children;
}

/** Whether a node is a function or another part with a `var` scope of its own. */
export function isFunctionLike(node: AnyNode): boolean {
  return (
    node.type === "FunctionDeclaration" ||
    node.type === "FunctionExpression" ||
    node.type === "ArrowFunctionExpression" ||
    node.type === "StaticBlock"
  );
}

function isNode(value: unknown): value is AnyNode {
  return (
    typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string"
  );
}
