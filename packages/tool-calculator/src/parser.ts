import { create, type FactoryFunctionMap, parseDependencies } from "mathjs/number";
import type { SyntaxNode } from "./syntax-node.js";

const mathjs = create(parseDependencies as FactoryFunctionMap);

// Classes that were given static properties share their shape, and V8 then gives up compiling the constructors again
// and again, which doubles the time of a parse. A frozen class has a shape that stays.
for (const node of [
  mathjs.ConstantNode,
  mathjs.FunctionNode,
  mathjs.OperatorNode,
  mathjs.ParenthesisNode,
  mathjs.SymbolNode,
]) {
  Object.freeze(node);
}

/** Parses text in the grammar of mathjs. The module is heavy: import it at the first evaluation. */
export function parse(text: string): SyntaxNode {
  return mathjs.parse(text);
}
