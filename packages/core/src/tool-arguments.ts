/** Arguments of a call, parsed; or why they could not be. */
export type ParsedArguments = { ok: true; value: Record<string, unknown> } | { ok: false; message: string };

/**
 * Parses what a model wrote as arguments: nothing at all is `{}`, an object is taken as it is, JSON that was encoded
 * twice is unwrapped once, a surrounding code fence is removed, and raw line breaks and tabs inside strings are read
 * as what they are. Anything that would need a guess is refused, with the reason.
 */
export function parseArguments(raw: unknown): ParsedArguments {
  if (raw === null || raw === undefined) return { ok: true, value: {} };
  if (typeof raw !== "string") return checkObject(raw);
  const text = raw.trim();
  if (text === "") return { ok: true, value: {} };
  const first = parseText(text);
  if (!first.ok) return first;
  if (typeof first.value !== "string") return checkObject(first.value);
  const inner = parseText(first.value.trim());
  return inner.ok && typeof inner.value === "object" ? checkObject(inner.value) : checkObject(first.value);
}

type Parsed = { ok: true; value: unknown } | { ok: false; message: string };

function parseText(text: string): Parsed {
  const strict = tryParse(text);
  if (strict.ok) return strict;
  const bare = /^```(?:json)?[ \t]*\r?\n([\s\S]*?)\r?\n?```$/i.exec(text)?.[1] ?? text;
  const lenient = tryParse(escapeControlCharacters(bare));
  return lenient.ok ? lenient : { ok: false, message: `Invalid arguments JSON: ${strict.message}` };
}

function tryParse(text: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

function checkObject(value: unknown): ParsedArguments {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return { ok: true, value: value as Record<string, unknown> };
  }
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return { ok: false, message: `Invalid arguments: expected a JSON object, got ${type}.` };
}

const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escapeControlCharacters(text: string): string {
  let inString = false;
  let escaped = false;
  let out = "";
  for (const char of text) {
    if (inString && !escaped && char in escapes) {
      out += escapes[char];
      continue;
    }
    if (escaped) escaped = false;
    else if (char === "\\") escaped = inString;
    else if (char === '"') inString = !inString;
    out += char;
  }
  return out;
}
