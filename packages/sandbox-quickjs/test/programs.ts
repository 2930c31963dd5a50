import fc from "fast-check";

// Small programs, as data: how they are written, and what they do by a reference that knows nothing of JavaScript's
// scopes. The names of a program are those that its statements give a value.

/** A value that a statement computes. */
export type Expression =
  | { kind: "number"; value: number }
  | { kind: "read"; name: string }
  | { kind: "add"; left: Expression; right: Expression };

/** A statement of the top level or of a block. */
export type Statement =
  | { kind: "declare"; keyword: "let" | "const" | "var"; name: string; value: Expression }
  | {
      kind: "destructure";
      keyword: "let" | "const" | "var";
      names: [string, string];
      values: [Expression, Expression];
    }
  | { kind: "assign"; name: string; value: Expression }
  | { kind: "function"; name: string; value: Expression }
  | { kind: "class"; name: string; value: number }
  | { kind: "loop"; name: string; times: number }
  | { kind: "block"; name: string; value: Expression }
  | { kind: "await"; name: string; value: Expression }
  | { kind: "throw" };

/** A cell: statements, and perhaps an expression at its end. */
export interface Cell {
  statements: Statement[];
  value: Expression | undefined;
  /** Whether statements end with a semicolon or by their line. */
  semicolons: boolean;
}

export type Program = Cell[];

const name = fc.constantFrom("a", "b", "c", "d");
const keyword = fc.constantFrom("let" as const, "const" as const, "var" as const);
const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 2 },
    fc.record({ kind: fc.constant("number" as const), value: fc.integer({ min: 0, max: 99 }) }),
    fc.record({ kind: fc.constant("read" as const), name }),
    fc.record({ kind: fc.constant("add" as const), left: tie("expression"), right: tie("expression") }),
  ),
}));

const statement: fc.Arbitrary<Statement> = fc.oneof(
  fc.record({ kind: fc.constant("declare" as const), keyword, name, value: expression }),
  fc.record({
    kind: fc.constant("destructure" as const),
    keyword,
    names: fc.constantFrom<[string, string]>(["a", "b"], ["c", "d"], ["b", "c"]),
    values: fc.tuple(expression, expression),
  }),
  fc.record({ kind: fc.constant("assign" as const), name, value: expression }),
  fc.record({ kind: fc.constant("function" as const), name: fc.constantFrom("f", "g"), value: expression }),
  fc.record({
    kind: fc.constant("class" as const),
    name: fc.constantFrom("K", "L"),
    value: fc.integer({ min: 0, max: 99 }),
  }),
  fc.record({
    kind: fc.constant("loop" as const),
    name: fc.constantFrom("i", "j"),
    times: fc.integer({ min: 0, max: 3 }),
  }),
  fc.record({ kind: fc.constant("block" as const), name: fc.constantFrom("p", "q"), value: expression }),
  fc.record({ kind: fc.constant("await" as const), name, value: expression }),
  fc.record({ kind: fc.constant("throw" as const) }),
);

/** Names declared twice in one cell are a syntax error of the language; such cells are made of later wins. */
function withoutDuplicates(statements: Statement[]): Statement[] {
  const seen = new Set<string>();
  return statements.filter((item) => {
    const names = declaredBy(item);
    if (names.some((declared) => seen.has(declared))) return false;
    for (const declared of names) seen.add(declared);
    return true;
  });
}

function declaredBy(item: Statement): string[] {
  switch (item.kind) {
    case "declare":
    case "await":
    case "function":
    case "class":
    case "loop":
    case "block":
      return [item.name];
    case "destructure":
      return [...item.names];
    default:
      return [];
  }
}

const cell: fc.Arbitrary<Cell> = fc.record({
  statements: fc.array(statement, { maxLength: 6 }).map(withoutDuplicates),
  value: fc.option(expression, { nil: undefined }),
  semicolons: fc.boolean(),
});

export const programs: fc.Arbitrary<Program> = fc.array(cell, { minLength: 1, maxLength: 4 });

/** The text of a cell. */
export function render({ statements, value, semicolons }: Cell): string {
  const end = semicolons ? ";" : "";
  const write = (item: Statement): string => {
    switch (item.kind) {
      case "declare":
        return `${item.keyword} ${item.name} = ${text(item.value)}${end}`;
      case "destructure":
        return `${item.keyword} { x: ${item.names[0]}, y: [${item.names[1]}] } = { x: ${text(item.values[0])}, y: [${text(item.values[1])}] }${end}`;
      case "assign":
        return `${item.name} = ${text(item.value)}${end}`;
      case "function":
        return `function ${item.name}() { return ${text(item.value)} }`;
      case "class":
        return `class ${item.name} { static n = ${item.value} }`;
      case "loop":
        return `for (var ${item.name} = 0; ${item.name} < ${item.times}; ${item.name}++) ;`;
      case "block":
        return `if (true) { var ${item.name} = ${text(item.value)} }`;
      case "await":
        return `var ${item.name} = await Promise.resolve(${text(item.value)})${end}`;
      case "throw":
        return `throw new Error('stop')${end}`;
    }
  };
  const lines = statements.map(write);
  if (value !== undefined) lines.push(text(value));
  return lines.join("\n");
}

/** An expression; it never begins with a parenthesis, which would call what stands on the line above. */
function text(expression: Expression): string {
  switch (expression.kind) {
    case "number":
      return String(expression.value);
    case "read":
      return `0 + (typeof ${expression.name} === 'number' ? ${expression.name} : -1)`;
    case "add":
      return `${text(expression.left)} + ${text(expression.right)}`;
  }
}

/** What a program has done after a cell. */
export interface Outcome {
  failed: boolean;
  /** The value of the cell; undefined when it has none. */
  value: number | undefined;
  /** Every name that exists by then; a function is what it gives. */
  variables: Map<string, number | undefined>;
}

type Names = Map<string, number | undefined | (() => number)>;

/** What each cell of a program does, by one flat table of names. */
export function reference(program: Program): Outcome[] {
  const variables: Names = new Map();
  const evaluate = (expression: Expression): number => {
    switch (expression.kind) {
      case "number":
        return expression.value;
      case "read": {
        const value = variables.get(expression.name);
        return typeof value === "number" ? value : -1;
      }
      case "add":
        return evaluate(expression.left) + evaluate(expression.right);
    }
  };
  return program.map((cell) => {
    for (const item of cell.statements) {
      if (item.kind === "function") variables.set(item.name, () => evaluate(item.value));
      for (const declared of hoisted(item)) if (!variables.has(declared)) variables.set(declared, undefined);
    }
    let failed = false;
    let value: number | undefined;
    let assigned: number | undefined;
    for (const item of cell.statements) {
      if (item.kind === "function") continue;
      assigned = undefined;
      if (item.kind === "throw") {
        failed = true;
        break;
      }
      assigned = perform(item, variables, evaluate);
    }
    if (!failed) value = cell.value === undefined ? lastValue(cell, assigned) : evaluate(cell.value);
    return { failed, value, variables: snapshot(variables) };
  });
}

/** Names that exist before a cell begins. */
function hoisted(item: Statement): string[] {
  if (item.kind === "loop" || item.kind === "block" || item.kind === "await") return [item.name];
  if (item.kind === "declare" && item.keyword === "var") return [item.name];
  if (item.kind === "destructure" && item.keyword === "var") return [...item.names];
  return [];
}

function perform(
  item: Exclude<Statement, { kind: "throw" }>,
  variables: Names,
  evaluate: (expression: Expression) => number,
): number | undefined {
  switch (item.kind) {
    case "declare":
    case "block":
    case "await":
      variables.set(item.name, evaluate(item.value));
      return undefined;
    case "destructure": {
      const [first, second] = item.values.map(evaluate) as [number, number];
      variables.set(item.names[0], first);
      variables.set(item.names[1], second);
      return undefined;
    }
    case "assign": {
      const value = evaluate(item.value);
      variables.set(item.name, value);
      return value;
    }
    case "class":
      variables.set(`${item.name}.n`, item.value);
      return undefined;
    case "loop":
      variables.set(item.name, item.times);
      return undefined;
    case "function":
      return undefined;
  }
}

/** An assignment at the end of a cell is its value; function declarations behind it do not count. */
function lastValue(cell: Cell, assigned: number | undefined): number | undefined {
  const last = cell.statements.findLast((item) => item.kind !== "function");
  return last?.kind === "assign" ? assigned : undefined;
}

/** Functions read the variables of their time: what they give is fixed here. */
function snapshot(variables: Names): Outcome["variables"] {
  return new Map(
    [...variables].map(([name, value]) => [name, typeof value === "function" ? value() : value]),
  );
}
