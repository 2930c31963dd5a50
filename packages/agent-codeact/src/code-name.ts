const taken = new Set(
  (
    "final_answer False None True and as assert async await break case catch class const continue debugger def default del " +
    "delete do elif else enum except export extends false finally for from function global if import in instanceof is " +
    "lambda let new nonlocal not null or package pass print private protected public raise return static super switch " +
    "this throw true try typeof undefined var void while with yield arguments eval interface implements"
  ).split(" "),
);

/**
 * The name of a tool as a function in programs: names of tools may hold dashes, begin with a digit or be words of the
 * language, names of functions may not.
 */
export function codeName(tool: string): string {
  const name = tool.replaceAll("-", "_");
  return /^\d/.test(name) || taken.has(name) ? `tool_${name}` : name;
}
