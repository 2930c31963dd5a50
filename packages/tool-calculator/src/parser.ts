import { create, type FactoryFunctionMap, parseDependencies } from "mathjs/number";
import type { SyntaxNode } from "./syntax-node.js";

const mathjs = create(parseDependencies as FactoryFunctionMap);

/** Parses text in the grammar of mathjs. The module is heavy: import it at the first evaluation. */
export function parse(text: string): SyntaxNode {
  return mathjs.parse(text);
}
