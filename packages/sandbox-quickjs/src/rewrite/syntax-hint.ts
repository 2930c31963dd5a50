interface Hint {
  /** What the code, the parser's message, or the code before the error looks like. */
  looks: (code: string, message: string, before: string) => boolean;
  hint: string;
}

const python = [
  /^[ \t]*(async[ \t]+)?def[ \t]+\w+[ \t]*\(.*:[ \t]*(#.*)?$/m,
  /^[ \t]*(if|elif|for|while|with|try|except|else|finally|class)\b[^{}]*:[ \t]*(#.*)?$/m,
  /^[ \t]*import[ \t]+[\w.]+([ \t]+as[ \t]+\w+)?([ \t]*,[ \t]*[\w.]+)*[ \t]*(#.*)?$/m,
  /^[ \t]*from[ \t]+[\w.]+[ \t]+import\b(?!.*['"]$)/m,
  /^[ \t]*(print|raise|pass|del|global|nonlocal|assert)([ \t]+[\w"']|[ \t]*$)/m,
  /^[ \t]*#(?![!\w]*\s*[(=;])/m,
  /(^|[^\w$.])[fr]["']/m,
  /"""|'''/,
  /\blambda\b[^\n]*:/,
  /\b(not[ \t]+in|is[ \t]+not|is[ \t]+None)\b/,
  /[)\]\w][ \t]+(and|or)[ \t]+[\w(["']/,
  /\bfor[ \t]+[\w, \t()]+[ \t]in[ \t][^\n]*\]/,
];

const typescript = [
  /\b(let|const|var)[ \t]+\w+[ \t]*:[ \t]*[A-Za-z{[]/,
  /^[ \t]*(interface|type|enum|declare|namespace)[ \t]+\w+/m,
  /\)[ \t]*:[ \t]*[A-Za-z][\w<>[\], |]*[ \t]*(=>|\{)/,
  /[\w)\]}][ \t]+(as|satisfies)[ \t]+[A-Za-z{]/,
  /\([ \t]*\w+\??[ \t]*:[ \t]*(string|number|boolean|any|unknown|[A-Z]\w*)/,
];

const hints: readonly Hint[] = [
  {
    looks: (code) => python.some((pattern) => pattern.test(code)),
    hint: "This looks like Python; only JavaScript runs here.",
  },
  {
    looks: (_code, message) => /'import' and 'export'|import\.meta/i.test(message),
    hint: "There are no modules here; everything that exists is a global name.",
  },
  {
    looks: (_code, _message, before) => /\bawait\s+$/.test(before),
    hint: "Make the function around `await` async; at the top level it works as it is.",
  },
  {
    looks: (code) => typescript.some((pattern) => pattern.test(code)),
    hint: "This looks like TypeScript; leave the types out, only JavaScript runs here.",
  },
];

/** What the writer of code with a syntax error at `position` probably got wrong. */
export function syntaxHint(code: string, message: string, position: number): string | undefined {
  const before = code.slice(Math.max(0, position - 100), position);
  return hints.find(({ looks }) => looks(code, message, before))?.hint;
}
