import type {
  AnyNode,
  ClassDeclaration,
  FunctionDeclaration,
  Pattern,
  Program,
  VariableDeclaration,
} from "acorn";
import { blank, type Edits } from "./edits.js";
import { childrenOf, isFunctionLike } from "./syntax.js";

/** What a cell declares for the cells after it. */
export interface Declarations {
  /** Function declarations, which exist before the first statement runs. */
  functions: FunctionDeclaration[];
  /** Names of `var`, which exist, undefined, before the first statement runs. */
  variables: Set<string>;
  /** Every name declared at the top level. */
  names: Set<string>;
}

/**
 * Turns the declarations of a cell's top level into assignments to global names, so that they last and can be made
 * again in a later cell: `let a = 1, {b} = o` becomes `void (a = 1, {b} = o);`. `var` is also found inside of blocks.
 */
export function rewriteDeclarations(program: Program, text: string, edits: Edits): Declarations {
  const found: Declarations = { functions: [], variables: new Set(), names: new Set() };
  for (const statement of program.body) {
    if (statement.type === "FunctionDeclaration") {
      found.functions.push(statement);
      found.names.add(statement.id.name);
      rewriteFunction(statement, text, edits);
    } else if (statement.type === "ClassDeclaration") {
      found.names.add(statement.id.name);
      rewriteClass(statement, edits);
    } else if (statement.type === "VariableDeclaration") {
      for (const { id } of statement.declarations) for (const name of boundNames(id)) found.names.add(name);
      rewriteVariables(statement, text, edits, found);
    } else {
      rewriteBelow(statement, text, edits, found);
    }
  }
  return found;
}

/** The names a pattern binds. */
export function boundNames(pattern: Pattern): string[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name];
    case "ObjectPattern":
      return pattern.properties.flatMap((property) =>
        boundNames(property.type === "RestElement" ? property.argument : property.value),
      );
    case "ArrayPattern":
      return pattern.elements.flatMap((element) => (element === null ? [] : boundNames(element)));
    case "RestElement":
      return boundNames(pattern.argument);
    case "AssignmentPattern":
      return boundNames(pattern.left);
    case "MemberExpression":
      return [];
  }
}

/** `function f() {}` becomes `f=function () {};`, which is rendered apart, before the rest of the cell. */
function rewriteFunction(node: FunctionDeclaration, text: string, edits: Edits): void {
  edits.open(node.start, `${node.id.name}=`);
  edits.replace(node.id.start, node.id.end, blank(text.slice(node.id.start, node.id.end)));
  edits.close(node.end, ";");
}

function rewriteClass(node: ClassDeclaration, edits: Edits): void {
  edits.open(node.start, `void (${node.id.name}=`);
  edits.close(node.end, ");");
}

function rewriteVariables(node: VariableDeclaration, text: string, edits: Edits, found: Declarations): void {
  if (node.kind === "using" || node.kind === "await using") return;
  edits.replace(node.start, node.start + node.kind.length, "void (");
  if (text[node.end - 1] === ";") edits.replace(node.end - 1, node.end, ");");
  else edits.close(node.end, ");");
  for (const { id, init } of node.declarations) {
    if (node.kind === "var") for (const name of boundNames(id)) found.variables.add(name);
    if (init) continue;
    // `var a` leaves the value as it is, `let a` sets it.
    if (node.kind === "var") edits.replace(id.start, id.end, "0");
    else edits.close(id.end, "=void 0");
  }
}

/** Handles `var` and function declarations that stand in blocks of the top level. */
function rewriteBelow(node: AnyNode, text: string, edits: Edits, found: Declarations): void {
  if (isFunctionLike(node)) return;
  for (const child of childrenOf(node)) {
    if (
      child.type === "FunctionDeclaration" &&
      (node.type === "BlockStatement" || node.type === "SwitchCase")
    ) {
      // Outside of strict code a function of a block is a `var` of the function around it (ECMA-262, B.3.2).
      if (child.id && !child.async && !child.generator)
        edits.close(child.end, `;this.${child.id.name}=${child.id.name};`);
    }
    if (child.type !== "VariableDeclaration" || child.kind !== "var") {
      rewriteBelow(child, text, edits, found);
      continue;
    }
    if (isHead(node, child)) rewriteHead(node, child, edits, found);
    else rewriteVariables(child, text, edits, found);
    for (const { init } of child.declarations) if (init) rewriteBelow(init, text, edits, found);
  }
}

function isHead(node: AnyNode, child: VariableDeclaration): boolean {
  if (node.type === "ForStatement") return node.init === child;
  return (node.type === "ForInStatement" || node.type === "ForOfStatement") && node.left === child;
}

/** `for (var i = 0, n; …)` becomes `for (i = 0, 0; …)`, `for (var x of y)` becomes `for (x of y)`. */
function rewriteHead(parent: AnyNode, node: VariableDeclaration, edits: Edits, found: Declarations): void {
  edits.replace(node.start, node.start + node.kind.length, "");
  for (const { id, init } of node.declarations) {
    for (const name of boundNames(id)) found.variables.add(name);
    if (!init && parent.type === "ForStatement") edits.replace(id.start, id.end, "0");
  }
}
