import type { QuickJSHandle } from "quickjs-emscripten-core";
import type { Thrown } from "../guest/natives.js";
import type { CellOutcome } from "../protocol.js";
import type { Vm } from "./vm.js";

/** The value of a cell as it is told: as a console prints it and, where it has that form, as JSON. */
export function showValue(vm: Vm, value: QuickJSHandle, maxChars: number): Partial<CellOutcome> {
  const { context } = vm;
  if (context.typeof(value) === "undefined") return {};
  const limit = context.newNumber(maxChars);
  const text = textOf(vm, () => vm.callApi("inspect", value, limit)) ?? "[a value that cannot be shown]";
  limit.dispose();
  const json = textOf(vm, () => vm.callApi("json", value));
  const valueTruncated = text.length > maxChars;
  const shown = valueTruncated ? `${text.slice(0, maxChars - 1).toWellFormed()}…` : text;
  return { value: shown, valueTruncated, ...(json === undefined ? {} : { json }) };
}

/** What was thrown. */
export function describeThrown(vm: Vm, thrown: QuickJSHandle): Thrown {
  const text = textOf(vm, () => vm.callApi("describe", thrown));
  const described: unknown = text === undefined ? undefined : JSON.parse(text);
  if (isThrown(described)) return described;
  return { name: "Error", message: "What was thrown cannot be shown.", stack: "", causes: [] };
}

/** The text that a call gives, which may use some memory above the limit; undefined when it gives none. */
function textOf(vm: Vm, call: () => ReturnType<Vm["callApi"]>): string | undefined {
  const result = vm.withReserve(call);
  const text =
    result.error === undefined && vm.context.typeof(result.value) === "string"
      ? vm.context.getString(result.value)
      : undefined;
  (result.error ?? result.value).dispose();
  return text;
}

/** Whether the guest's side has said what was thrown; it runs where the guest may have changed everything. */
function isThrown(value: unknown): value is Thrown {
  if (typeof value !== "object" || value === null) return false;
  const { name, message, stack, causes } = value as Partial<Record<keyof Thrown, unknown>>;
  const texts = [name, message, stack, ...(Array.isArray(causes) ? causes : [undefined])];
  return texts.every((text) => typeof text === "string");
}
