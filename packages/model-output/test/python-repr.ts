/** Writes a JSON value the way Python's `repr` does. */
export function pythonRepr(value: unknown): string {
  if (value === null) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value === "string") return stringRepr(value);
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, item]) => `${stringRepr(key)}: ${pythonRepr(item)}`)
    .join(", ")}}`;
}

function stringRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const body = [...text].map((char) => {
    if (char === "\\" || char === quote) return `\\${char}`;
    if (char === "\n") return "\\n";
    if (char === "\r") return "\\r";
    if (char === "\t") return "\\t";
    const code = char.codePointAt(0) ?? 0;
    if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, "0")}`;
    return code >= 0xd800 && code <= 0xdfff ? `\\u${code.toString(16)}` : char;
  });
  return `${quote}${body.join("")}${quote}`;
}
