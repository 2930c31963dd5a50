import type { AnyNode, CallExpression, Function as FunctionNode, Program } from "acorn";
import { boundNames } from "./declarations.js";
import type { Edits } from "./edits.js";
import { childrenOf, isFunctionLike } from "./syntax.js";

/** A function that calls a host function but cannot wait for it. */
export interface BlockedCall {
  /** The host function. */
  callee: string;
  /** The function around the call; empty when it has no name. */
  caller: string;
}

interface Place {
  /** Whether `await` may stand here. */
  awaitable: boolean;
  /** The name of the nearest function around. */
  caller: string;
}

/** Methods that collect promises for a later `Promise.all`. */
const collecting = ["push", "unshift", "add", "set", "concat"];

/**
 * Puts `await` before direct calls of host functions where it is missing and may stand: models that know the functions
 * as synchronous write `const a = ask("…")`. Left alone are calls whose promise is plainly wanted: elements of array
 * literals, arguments of `Promise.…`, `.then(…)`, `void`, variables that are awaited later, and what is collected in a
 * cell that uses `Promise.all`.
 *
 * @param captured the statement whose value is the cell's
 */
export function insertAwaits(
  program: Program,
  names: ReadonlySet<string>,
  edits: Edits,
  captured: AnyNode | undefined,
): BlockedCall[] {
  const local = new Set<string>();
  /** Variables that are awaited, alone or together: they are meant to hold promises. */
  const awaited = new Set<string>();
  let combines = false;
  walk(program, (node, parent) => {
    for (const name of declaredBy(node, parent)) local.add(name);
    for (const name of awaitedBy(node)) awaited.add(name);
    combines ||= isPromiseMethod(node);
  });
  const known = new Set([...names].filter((name) => !local.has(name)));
  if (known.size === 0) return [];

  const blocked: BlockedCall[] = [];
  /** The nodes around, the nearest last. */
  const around: AnyNode[] = [];
  const visit = (node: AnyNode, place: Place) => {
    const callee = calledName(node);
    if (node.type === "CallExpression" && callee !== undefined && known.has(callee)) {
      if (place.awaitable) {
        if (!wantsPromise(node, around, combines) && !isHeldBy(node, around, awaited))
          insert(node, around, edits, captured);
      } else if (!wantsPromise(node, around, true) && !isReturned(node, around)) {
        blocked.push({ callee, caller: place.caller });
      }
    }
    const parent = around.at(-1);
    around.push(node);
    for (const child of childrenOf(node)) visit(child, placeOf(child, node, parent, place));
    around.pop();
  };
  visit(program, { awaitable: true, caller: "" });
  return blocked;
}

/** Where `child` stands: below `node`, which stands at `place` below `parent`. */
function placeOf(child: AnyNode, node: AnyNode, parent: AnyNode | undefined, place: Place): Place {
  if (node.type === "StaticBlock") return { ...place, awaitable: false };
  if (node.type === "PropertyDefinition" && node.value === child) return { ...place, awaitable: false };
  if (!isFunction(node)) return place;
  const caller = node.id?.name ?? nameFrom(parent) ?? place.caller;
  return { awaitable: node.async && node.body === child, caller };
}

/** The name a function gets from what it is assigned to. */
function nameFrom(parent: AnyNode | undefined): string | undefined {
  if (parent?.type === "VariableDeclarator" && parent.id.type === "Identifier") return parent.id.name;
  if (parent?.type === "Property" && parent.key.type === "Identifier") return parent.key.name;
  return undefined;
}

function insert(node: CallExpression, around: readonly AnyNode[], edits: Edits, captured?: AnyNode): void {
  const at = around.findLastIndex(
    ({ type, start }) => type === "ExpressionStatement" && start === node.start,
  );
  const list = around[at - 1];
  // Without a semicolon before it, the parenthesis would call what stands on the line above.
  const separate = list !== undefined && isStatementList(list) && around[at] !== captured;
  edits.open(node.start, separate ? ";(await " : "(await ");
  edits.close(node.end, ")");
}

function isStatementList(node: AnyNode): boolean {
  return (
    node.type === "Program" ||
    node.type === "BlockStatement" ||
    node.type === "StaticBlock" ||
    node.type === "SwitchCase"
  );
}

function wantsPromise(node: CallExpression, around: readonly AnyNode[], combines: boolean): boolean {
  const parent = around.at(-1);
  switch (parent?.type) {
    case "AwaitExpression":
    case "ArrayExpression":
      return true;
    case "UnaryExpression":
      return parent.operator === "void";
    case "MemberExpression":
      return parent.object === node && ["then", "catch", "finally"].includes(propertyName(parent) ?? "");
    case "CallExpression": {
      if (parent.callee.type !== "MemberExpression" || !parent.arguments.includes(node)) return false;
      if (isPromise(parent.callee.object)) return true;
      return combines && collecting.includes(propertyName(parent.callee) ?? "");
    }
    default:
      return false;
  }
}

/** Whether the promise of a call becomes the value of one of these variables. */
function isHeldBy(node: CallExpression, around: readonly AnyNode[], names: ReadonlySet<string>): boolean {
  const parent = around.at(-1);
  if (parent?.type !== "VariableDeclarator" || parent.init !== node) return false;
  return parent.id.type === "Identifier" && names.has(parent.id.name);
}

/** The variables that `await a` and `Promise.all([a, b])` wait for. */
function awaitedBy(node: AnyNode): string[] {
  if (node.type === "AwaitExpression") return node.argument.type === "Identifier" ? [node.argument.name] : [];
  if (node.type !== "CallExpression" || !isPromiseMethod(node.callee)) return [];
  const [list] = node.arguments;
  if (list?.type !== "ArrayExpression") return [];
  return list.elements.flatMap((element) => (element?.type === "Identifier" ? [element.name] : []));
}

/** Whether the promise of a call is handed to the caller of the function it stands in. */
function isReturned(node: CallExpression, around: readonly AnyNode[]): boolean {
  const parent = around.at(-1);
  return (
    parent?.type === "ReturnStatement" || (parent?.type === "ArrowFunctionExpression" && parent.body === node)
  );
}

function calledName(node: AnyNode): string | undefined {
  return node.type === "CallExpression" && node.callee.type === "Identifier" ? node.callee.name : undefined;
}

function propertyName(node: AnyNode): string | undefined {
  if (node.type !== "MemberExpression" || node.computed) return undefined;
  return node.property.type === "Identifier" ? node.property.name : undefined;
}

function isPromise(node: AnyNode): boolean {
  return node.type === "Identifier" && node.name === "Promise";
}

function isPromiseMethod(node: AnyNode): boolean {
  return (
    node.type === "MemberExpression" &&
    isPromise(node.object) &&
    ["all", "allSettled", "any", "race"].includes(propertyName(node) ?? "")
  );
}

function isFunction(node: AnyNode): node is AnyNode & FunctionNode {
  return isFunctionLike(node) && node.type !== "StaticBlock";
}

/** The names that a node declares for a scope below the top level. */
function declaredBy(node: AnyNode, parent: AnyNode | undefined): string[] {
  const top = parent?.type === "Program";
  switch (node.type) {
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression": {
      const own = node.id && !top ? [node.id.name] : [];
      return [...own, ...node.params.flatMap(boundNames)];
    }
    case "ClassDeclaration":
    case "ClassExpression":
      return node.id && !top ? [node.id.name] : [];
    case "VariableDeclaration":
      return top ? [] : node.declarations.flatMap(({ id }) => boundNames(id));
    case "CatchClause":
      return node.param ? boundNames(node.param) : [];
    default:
      return [];
  }
}

function walk(
  node: AnyNode,
  visit: (node: AnyNode, parent: AnyNode | undefined) => void,
  parent?: AnyNode,
): void {
  visit(node, parent);
  for (const child of childrenOf(node)) walk(child, visit, node);
}
