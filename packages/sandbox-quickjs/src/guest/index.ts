import { describe } from "./describe.js";
import { inspect } from "./inspect.js";
import { apply, define, ErrorClass, freeze, newList, parse, reject, slice, stringify } from "./intrinsics.js";
import { encodeCall, losslessJson } from "./json.js";
import type { GuestApi, Natives } from "./natives.js";
import { makePrinters } from "./print.js";
import { wellFormed } from "./texts.js";

/**
 * Sets up the guest's side of a session, before any of its code runs: the names a guest finds, frozen so that no cell
 * can put something else in their place, and the functions that the worker calls. All of it runs inside the interpreter
 * and has no more rights than the guest's own code.
 */
export function install(
  write: Natives["write"],
  call: Natives["call"],
  promiseState: Natives["promiseState"],
): GuestApi {
  const world = globalThis as unknown as Record<string, unknown>;
  const printers = makePrinters({ write, call, promiseState });

  // QuickJS makes template literals by this method, those of the functions here as well.
  define(String.prototype, "concat", String.prototype.concat);

  const provided = newList<{ name: string; value: unknown }>();
  const provide = (name: string, value: unknown) => {
    define(world, name, value);
    provided[provided.length] = { name, value };
  };
  provide("print", printers.print);
  provide("console", printers.console);
  const provideFunction = (name: string) => {
    const hostFunction = (...args: unknown[]) => {
      try {
        // Made here, the error has the lines of the guest that led to the call.
        return apply(
          call,
          undefined,
          encodeCall(name, args, new ErrorClass(), promiseState),
        ) as Promise<unknown>;
      } catch (error) {
        return reject(error);
      }
    };
    define(hostFunction, "name", name);
    provide(name, freeze(hostFunction));
  };

  return {
    provide(names) {
      const list = parse(names) as string[];
      for (let index = 0; index < list.length; index += 1) provideFunction(list[index] as string);
    },
    begin(maxChars) {
      printers.begin(maxChars);
      // QuickJS lets `Object.defineProperty` change a global that is neither writable nor configurable.
      for (let index = 0; index < provided.length; index += 1) {
        const { name, value } = provided[index] as (typeof provided)[number];
        if (world[name] !== value) define(world, name, value);
      }
    },
    inspect: (value, maxChars) => wellFormed(slice(inspect(value, maxChars, promiseState), 0, maxChars * 2)),
    json: losslessJson,
    describe: (error) => stringify(describe(error, promiseState)) ?? "",
    declare(names) {
      const list = parse(names) as string[];
      for (let index = 0; index < list.length; index += 1) {
        const name = list[index] as string;
        if (!(name in world)) world[name] = undefined;
      }
    },
    setVariable(name, value) {
      define(world, name, value, { enumerable: true, configurable: true, writable: true });
    },
    parse: (text) => parse(text) as unknown,
    setMessage(error, name, message) {
      const access = { configurable: true, writable: true };
      define(error, "message", message, access);
      if (name !== "Error") define(error, "name", name, access);
    },
  };
}
