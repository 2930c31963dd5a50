import { readCallArguments } from "./call-syntax.js";
import { parseLooseJson, unfence } from "./loose-json.js";
import {
  acceptsText,
  type ParametersSchema,
  schemaTypes,
  soleParameter,
  typeName,
} from "./parameters-schema.js";
import { clip, isObject, jsonText, parseStrictJson } from "./strict-json.js";

/** The arguments of a call, or a sentence for the model that says why they cannot be read and what to write. */
export type CoercedArguments =
  | { ok: true; arguments: Record<string, unknown> }
  | { ok: false; reason: string };

/** Options of {@link coerceArguments}. */
export interface CoerceOptions {
  /**
   * Whether text that begins with `{` may be the tool's one text: true for tools that take code, whose spec says
   * `metadata.structured_allow_object_text`. Then only JSON that holds that text is an object of arguments.
   *
   * @default false
   */
  allowObjectText?: boolean;
}

/**
 * Makes the arguments of a call out of what a text dialect holds for them.
 *
 * - Nothing is `{}`; an object is taken as it is; JSON text, in a fence or with the slips of {@link parseLooseJson}, is
 *   the object it holds, also when it was encoded twice.
 * - Any other text goes to the one parameter it can be meant for: the only required one, or the only one, if that
 *   takes text; a JSON string is decoded first. A value of another type goes there if that is the type asked for.
 * - `key=value` pairs are read when all keys are parameters.
 * - Text that begins with `{` but cannot be read is refused, and so is text for a tool with several parameters.
 *
 * The values' types are not checked; that is the executor's part.
 *
 * @example
 * const parameters = { type: "object", properties: { expression: { type: "string" } }, required: ["expression"] };
 * coerceArguments("2+2", parameters); // { ok: true, arguments: { expression: "2+2" } }
 */
export function coerceArguments(
  raw: unknown,
  parameters: ParametersSchema | undefined,
  options: CoerceOptions = {},
): CoercedArguments {
  if (raw === undefined || raw === null) return { ok: true, arguments: {} };
  if (isObject(raw)) return { ok: true, arguments: raw };
  if (typeof raw !== "string") return fromValue(raw, jsonText(raw), parameters);
  const text = raw.trim();
  if (text === "") return { ok: true, arguments: {} };
  const bare = unfence(text);
  const strict = parseStrictJson(bare);
  if (strict.ok) {
    if (isObject(strict.value)) return { ok: true, arguments: strict.value };
    return fromValue(strict.value, bare, parameters);
  }
  if (options.allowObjectText === true && soleText(parameters) !== undefined)
    return fromCode(bare, parameters);
  return fromLooseText(bare, parameters);
}

/** The text of a tool that takes code: an object only when it holds nothing but that text. */
function fromCode(text: string, parameters: ParametersSchema | undefined): CoercedArguments {
  const loose = text.startsWith("{") ? parseLooseJson(text) : undefined;
  if (loose?.ok === true && isObject(loose.value)) {
    const [entry, second] = Object.entries(loose.value);
    if (entry?.[0] === soleText(parameters) && typeof entry?.[1] === "string" && second === undefined) {
      return { ok: true, arguments: loose.value };
    }
  }
  return fromText(text, parameters);
}

function fromLooseText(text: string, parameters: ParametersSchema | undefined): CoercedArguments {
  const loose = parseLooseJson(text);
  if (text.startsWith("{")) {
    if (loose.ok && isObject(loose.value)) return { ok: true, arguments: loose.value };
    return refuse(`The arguments are not JSON that can be read. ${loose.ok ? "" : loose.reason}`, parameters);
  }
  if (noArguments(text, parameters)) return { ok: true, arguments: {} };
  if (parameters?.properties !== undefined && /^[\w-]+\s*=/.test(text)) {
    const named = readCallArguments(text, parameters);
    if (named.ok && isObject(named.arguments)) return { ok: true, arguments: named.arguments };
  }
  if (loose.ok && (typeof loose.value === "string" || !acceptsText(soleParameter(parameters)?.schema))) {
    return fromValue(loose.value, text, parameters);
  }
  return fromText(text, parameters);
}

/** A value that is no object: decoded text, or a number, list or literal. */
function fromValue(value: unknown, text: string, parameters: ParametersSchema | undefined): CoercedArguments {
  if (typeof value === "string") {
    // Encoded twice.
    const inner = value.trimStart().startsWith("{") ? parseStrictJson(value) : undefined;
    if (inner?.ok === true && isObject(inner.value)) return { ok: true, arguments: inner.value };
    return fromText(value, parameters);
  }
  const target = soleParameter(parameters);
  const types = schemaTypes(target?.schema);
  if (target !== undefined && !types.has("string")) {
    const type = typeName(value);
    if (types.has(type) || (type === "number" && types.has("integer") && Number.isInteger(value))) {
      return { ok: true, arguments: Object.fromEntries([[target.name, value]]) };
    }
  }
  if (value === null && noArguments("null", parameters)) return { ok: true, arguments: {} };
  return fromText(text, parameters);
}

function fromText(text: string, parameters: ParametersSchema | undefined): CoercedArguments {
  const name = soleText(parameters);
  if (name !== undefined) return { ok: true, arguments: Object.fromEntries([[name, text]]) };
  return refuse(`The arguments must be a JSON object, not ${clip(JSON.stringify(text), 60)}.`, parameters);
}

/** The parameter that bare text is meant for. */
function soleText(parameters: ParametersSchema | undefined): string | undefined {
  const target = soleParameter(parameters);
  return target !== undefined && acceptsText(target.schema) ? target.name : undefined;
}

/** Whether a text is a model's way to say that a tool without parameters gets none. */
function noArguments(text: string, parameters: ParametersSchema | undefined): boolean {
  if (Object.keys(parameters?.properties ?? {}).length > 0) return false;
  return /^\(?(?:none|null|nil|n\/?a|no (?:input|arguments?|parameters?)(?: (?:needed|required))?|empty)\)?\.?$/i.test(
    text,
  );
}

function refuse(reason: string, parameters: ParametersSchema | undefined): CoercedArguments {
  return { ok: false, reason: [reason.trim(), wantedForm(parameters)].join(" ").trim() };
}

/** A sentence that shows the object a tool wants. */
function wantedForm(parameters: ParametersSchema | undefined): string {
  if (parameters === undefined) return "";
  const properties = Object.entries(parameters.properties ?? {}).slice(0, 12);
  if (properties.length === 0) return "Write {} when the tool needs no arguments.";
  const required = new Set(parameters.required ?? []);
  const fields = properties.map(([name, schema]) => {
    const types = [...schemaTypes(schema)].join(" or ") || "any value";
    return `${JSON.stringify(name)}: ${types}${required.has(name) ? "" : ", optional"}`;
  });
  return `Write a JSON object: {${fields.join("; ")}}.`;
}
