import { isObject, jsonText } from "../strict-json.js";
import { type FoundCall, maxCalls, type ReplyText } from "./found.js";

/** What a JSON value says as a part of a conversation with tools. */
export type CallObjects =
  | {
      kind: "calls";
      calls: FoundCall[];
      thought: string;
      /** Whether this can hardly be anything else: a tool that exists, or the keys of a ReAct object. */
      certain: boolean;
    }
  | { kind: "final"; text: string; thought: string }
  | { kind: "malformed"; reason: string };

const nameKeys = ["tool", "tool_name", "action", "function", "function_name", "recipient_name", "name"];
const inputKeys = [
  "action_input",
  "arguments",
  "parameters",
  "input",
  "args",
  "tool_input",
  "params",
  "tool_args",
  "tool_arguments",
  "function_arguments",
];
const listKeys = ["tool_calls", "tool_uses", "function_calls", "calls"];
const wrapperKeys = ["tool_call", "function_call", "function"];
/** Keys that may stand beside a name and its arguments. */
const beside = new Set([
  ...nameKeys,
  ...inputKeys,
  "id",
  "type",
  "index",
  "thought",
  "call_id",
  "tool_call_id",
  "thoughts",
]);
const reactKeys = new Set(["thought", "action", "action_input", "final_answer"]);
const noAction = /^(?:none|null|n\/?a|no[ _](?:action|tool))$/i;
const finalAction = /^final[ _-]?answer$/i;

/**
 * Reads a JSON value as calls, or as an answer: `{"name", "arguments"}` in all its spellings, flat or nested in
 * `function`, single, in a list or under `tool_calls`; `{"thought", "action", "action_input"}` and `{"final_answer"}`
 * with keys in any case; `{"calculator": {…}}`. Undefined for any other value, which is then a JSON answer.
 */
export function readCallObjects(value: unknown, reply: ReplyText, raw: string): CallObjects | undefined {
  if (!Array.isArray(value)) return isObject(value) ? readObject(value, reply, raw, 0) : undefined;
  const parts = value
    .slice(0, maxCalls)
    .map((item) => (isObject(item) ? readObject(item, reply, raw, 1) : undefined));
  const calls = parts.filter((part) => part?.kind === "calls");
  if (calls.length === 0 || calls.length < parts.length) return undefined;
  return {
    kind: "calls",
    calls: calls.flatMap((part) => part.calls),
    thought: calls[0]?.thought ?? "",
    certain: calls.every((part) => part.certain),
  };
}

function readObject(
  object: Record<string, unknown>,
  reply: ReplyText,
  raw: string,
  depth: number,
): CallObjects | undefined {
  const fields = normalise(object);
  const list = listKeys.map((key) => fields.get(key)).find(Array.isArray);
  if (list !== undefined && depth === 0) return readCallObjects(list, reply, raw);
  const wrapped = wrapperKeys.map((key) => fields.get(key)).find(isObject);
  if (wrapped !== undefined && depth < 3) return readObject(wrapped, reply, raw, depth + 1);

  const nameKey = nameKeys.find((key) => typeof fields.get(key) === "string" && fields.get(key) !== "");
  const name = String(nameKey === undefined ? "" : fields.get(nameKey)).trim();
  const declined = name === "" || (noAction.test(name) && !reply.knows(name));
  const thought = textOf(fields.get("thought") ?? fields.get("thoughts"));
  const answer = fields.get("final_answer");
  if (isSaid(answer)) {
    const conflict = nameKey === "action" && !declined && !finalAction.test(name);
    if (conflict) return { kind: "malformed", reason: "The object has both an action and a final answer." };
    return { kind: "final", text: textOf(answer), thought };
  }
  const input = inputOf(fields);
  if (nameKey === "action" && finalAction.test(name) && !reply.knows(name) && isSaid(input.value)) {
    return { kind: "final", text: textOf(input.value), thought };
  }
  if (!declined) return readNamed(fields, { name, nameKey: nameKey ?? "", input, thought, raw }, reply);
  const keyed = readKeyed(object, reply, raw);
  if (keyed !== undefined) return keyed;
  if (fields.size === 0 || ![...fields.keys()].every((key) => reactKeys.has(key))) return undefined;
  return { kind: "malformed", reason: "The object has neither an action with a tool nor a final answer." };
}

interface Named {
  name: string;
  nameKey: string;
  input: { key: string | undefined; value: unknown };
  thought: string;
  raw: string;
}

function readNamed(
  fields: ReadonlyMap<string, unknown>,
  { name, nameKey, input, thought, raw }: Named,
  reply: ReplyText,
): CallObjects | undefined {
  const known = reply.knows(name);
  const isReAct = fields.has("action_input") || (nameKey === "action" && fields.has("thought"));
  const call = (value: unknown, certain: boolean): CallObjects => ({
    kind: "calls",
    calls: [{ name, input: value, raw }],
    thought,
    certain,
  });
  if (input.key !== undefined) {
    if (input.key === "parameters" && describesParameters(fields, input.value)) return undefined;
    if (known || isReAct) return call(input.value, true);
    const isCall = [...fields.keys()].every((key) => beside.has(key)) && isToolName(name, input.key);
    return isCall ? call(input.value, false) : undefined;
  }
  if (!known) {
    const only = [...fields.keys()].every((key) => key === "thought" || key === "action");
    return nameKey === "action" && only ? call(undefined, fields.has("thought")) : undefined;
  }
  // Flat: the arguments stand beside the name.
  const properties = reply.parameters(name)?.properties ?? {};
  const rest = [...fields].filter(([key]) => key !== nameKey && !["thought", "id", "type"].includes(key));
  if (rest.some(([key]) => !Object.hasOwn(properties, key)))
    return isReAct ? call(undefined, true) : undefined;
  return rest.length > 0 || nameKey !== "name" ? call(Object.fromEntries(rest), true) : undefined;
}

/** Whether a name that no tool has was meant for one; `{"name": "Alice", "parameters": …}` is an answer. */
function isToolName(name: string, inputKey: string): boolean {
  return inputKey === "arguments" ? /^[\w.:/-]+$/.test(name) : /^[a-z]\w*[_.-]\w[\w.-]*$/i.test(name);
}

/** `{"calculator": {"expression": "1+1"}}` */
function readKeyed(object: Record<string, unknown>, reply: ReplyText, raw: string): CallObjects | undefined {
  const [entry, second] = Object.entries(object);
  if (entry === undefined || second !== undefined || !isObject(entry[1])) return undefined;
  if (!reply.names.all.includes(entry[0])) return undefined;
  return { kind: "calls", calls: [{ name: entry[0], input: entry[1], raw }], thought: "", certain: true };
}

function inputOf(fields: ReadonlyMap<string, unknown>): { key: string | undefined; value: unknown } {
  const key = inputKeys.find((candidate) => fields.has(candidate));
  const value = key === undefined ? undefined : fields.get(key);
  return { key, value: Array.isArray(value) && value.length === 0 ? undefined : value };
}

/** A definition of a tool is an answer about tools, not a call. */
function describesParameters(fields: ReadonlyMap<string, unknown>, value: unknown): boolean {
  return (
    isObject(value) && value.type === "object" && (isObject(value.properties) || fields.has("description"))
  );
}

/** Keys in lower case with underscores: `Action Input` and `actionInput` are `action_input`. */
function normalise(object: Record<string, unknown>): Map<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [key, value] of Object.entries(object)) {
    const plain = key
      .replace(/([a-z])([A-Z])/g, "$1_$2")
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, "_");
    // A parameter keeps its own spelling unless that is one of the words looked for.
    fields.set(
      beside.has(plain) || plain === "final_answer" || listKeys.includes(plain) ? plain : key,
      value,
    );
  }
  for (const key of wrapperKeys) if (isObject(object[key])) fields.set(key, object[key]);
  return fields;
}

function isSaid(value: unknown): boolean {
  return (
    value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0)
  );
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value.trim() : jsonText(value);
}
