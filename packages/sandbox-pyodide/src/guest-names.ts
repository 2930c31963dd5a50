import { JarvisError } from "@openjarvis/core";

const keywords = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from global if " +
    "import in is lambda nonlocal not or pass raise return try while with yield __debug__"
  ).split(" "),
);

/** Throws `OJ_OPTION` unless code can use `name` for something that the host gives. */
export function checkGuestName(what: string, name: string): void {
  const isIdentifier = /^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(name) && !keywords.has(name);
  // Python reads identifiers in their NFKC form, so that another form could never be called.
  const isReachable = name.normalize("NFKC") === name;
  const isOwn = name.startsWith("__host_") || name === "__cell_value__" || name === "__builtins__";
  if (isIdentifier && isReachable && !isOwn) return;
  const why = isOwn ? "the sandbox uses it itself" : "it is no Python identifier";
  throw new JarvisError("OJ_OPTION", `${what} cannot be named ${JSON.stringify(name)}: ${why}.`);
}
