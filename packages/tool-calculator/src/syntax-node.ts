/** The part of a mathjs syntax tree that an evaluation looks at. Any node may come; `type` says which. */
export interface SyntaxNode {
  readonly type: string;
  /** The value of a `ConstantNode`. */
  readonly value?: unknown;
  /** The name of the function of a `FunctionNode`. */
  readonly name?: string;
  /** The operator of an `OperatorNode`. */
  readonly op?: string;
  /** The operands of an `OperatorNode`, the arguments of a `FunctionNode`. */
  readonly args?: readonly SyntaxNode[];
  /** What a `ParenthesisNode` holds. */
  readonly content?: SyntaxNode;
}
