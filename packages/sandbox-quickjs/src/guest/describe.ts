import { inspect } from "./inspect.js";
import { includes, newList, ownValue, slice, tagOf } from "./intrinsics.js";
import type { Thrown } from "./natives.js";
import { errorLine, inheritedText, wellFormed } from "./texts.js";

const maxMessage = 4_000;
const maxStack = 20_000;
const maxCauses = 5;

/** What was thrown, read without running a getter. */
export function describe(thrown: unknown, promiseState: (value: unknown) => number): Thrown {
  if (typeof thrown !== "object" || thrown === null || !isError(thrown)) {
    const shown = typeof thrown === "string" ? thrown : inspect(thrown, maxMessage, promiseState);
    const message = wellFormed(slice(shown, 0, maxMessage));
    return bare({ name: "Uncaught", message, stack: "", causes: newList() });
  }
  return bare({
    name: wellFormed(slice(inheritedText(thrown, "name"), 0, 100)) || "Error",
    message: wellFormed(slice(inheritedText(thrown, "message"), 0, maxMessage)),
    stack: wellFormed(slice(inheritedText(thrown, "stack"), 0, maxStack)),
    causes: causesOf(thrown),
  });
}

/** Without a prototype, and so without a \`toJSON\` that the guest may have given to all objects. */
function bare(thrown: Thrown): Thrown {
  return { __proto__: null, ...thrown } as Thrown;
}

/** An error of the language, or what is built like one. */
function isError(value: object): boolean {
  return tagOf(value) === "[object Error]" || includes(inheritedText(value, "stack"), "    at ");
}

function causesOf(error: object): string[] {
  const causes = newList<string>();
  let current = error;
  for (let depth = 0; depth < maxCauses; depth += 1) {
    const inner = ownValue(current, "cause");
    const errors = ownValue(current, "errors");
    if (typeof errors === "object" && errors !== null) {
      for (let index = 0; index < maxCauses; index += 1) {
        const item = ownValue(errors, index);
        if (typeof item === "object" && item !== null) causes[causes.length] = errorLine(item);
      }
    }
    if (typeof inner !== "object" || inner === null) break;
    causes[causes.length] = errorLine(inner);
    current = inner;
  }
  return causes;
}
