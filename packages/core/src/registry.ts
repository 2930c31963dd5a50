import { AsyncLocalStorage } from "node:async_hooks";
import { registryKey, shared } from "./brand.js";
import { JarvisError } from "./errors.js";
import { didYouMean } from "./names.js";

/** The kinds of things plugins provide, as the keys of `openjarvis.provides` in a manifest. */
export const registryKinds = [
  "tools",
  "agents",
  "engines",
  "memory",
  "sandboxes",
  "schedulers",
  "observers",
] as const;

/** A kind of thing plugins provide. */
export type RegistryKind = (typeof registryKinds)[number];

interface Entry {
  value: unknown;
  /** The package that registered it, when the plugin loader knows. */
  owner: string;
}

interface Store {
  entries: Record<RegistryKind, Map<string, Entry>>;
  /** The package that is being imported by the plugin loader; several may be at once. */
  owner: AsyncLocalStorage<string>;
  /** Imports under way. */
  loads: number;
}

function store(): Store {
  return shared(registryKey, () => ({
    entries: Object.fromEntries(registryKinds.map((kind) => [kind, new Map()])) as Store["entries"],
    owner: new AsyncLocalStorage<string>(),
    loads: 0,
  }));
}

/** Runs `load` with everything it registers attributed to the package `owner`. */
export async function withOwner<T>(owner: string, load: () => Promise<T>): Promise<T> {
  const current = store();
  current.loads += 1;
  try {
    return await current.owner.run(owner, load);
  } finally {
    current.loads -= 1;
    // On Node 20 an enabled storage slows every promise of the process several times.
    if (current.loads === 0) current.owner.disable();
  }
}

/**
 * Names for things of one kind. Every copy of core in a process sees the same entries.
 *
 * - The same value twice under a key is a no-op; another value is `OJ_DUPLICATE_ID`.
 * - `keys()` keeps the order of registration and includes aliases.
 */
export class Registry<T> {
  readonly kind: RegistryKind;

  constructor(kind: RegistryKind) {
    this.kind = kind;
  }

  get #map(): Map<string, Entry> {
    return store().entries[this.kind];
  }

  /**
   * Registers a class or factory under `key`: as a class decorator, or called with the value.
   *
   * @example
   * ToolRegistry.register("my_tool")(MyTool);
   */
  register(key: string): <V extends T>(value: V, context?: ClassDecoratorContext) => V {
    return (value) => this.registerValue(key, value);
  }

  /** Registers `value` under `key` and returns it. */
  registerValue<V extends T>(key: string, value: V): V {
    if (typeof key !== "string" || key === "") {
      throw new JarvisError(
        "OJ_OPTION",
        `A key in the registry of ${this.kind} must be a text that is not empty.`,
      );
    }
    const owner = store().owner.getStore() ?? "";
    const existing = this.#map.get(key);
    if (existing === undefined) {
      this.#map.set(key, { value, owner });
    } else if (existing.value !== value) {
      const first = existing.owner || "code that registered it directly";
      const second = owner || "code that registers it directly";
      throw new JarvisError(
        "OJ_DUPLICATE_ID",
        `The registry of ${this.kind} already has "${key}": first from ${first}, now from ${second}.`,
        { details: { kind: this.kind, key, owners: [existing.owner, owner] } },
      );
    }
    return value;
  }

  /** The entry under `key`. Throws `OJ_NOT_REGISTERED` when there is none. */
  get(key: string): T {
    const entry = this.#map.get(key);
    if (entry !== undefined) return entry.value as T;
    const known = this.keys();
    throw new JarvisError(
      "OJ_NOT_REGISTERED",
      `The registry of ${this.kind} has no "${key}".${didYouMean(key, known)}`,
      {
        hint:
          known.length > 0 ? `It has: ${known.join(", ")}.` : "Import the package that registers it first.",
      },
    );
  }

  /**
   * Makes an instance of the entry under `key`: a class is constructed, a function is called, an object is
   * returned as it is.
   */
  create<
    R = T extends abstract new (
      ...args: never
    ) => infer I
      ? I
      : T extends (...args: never) => infer O
        ? O
        : T,
  >(key: string, ...args: unknown[]): R {
    const value: unknown = this.get(key);
    if (typeof value !== "function") return value as R;
    // Arrow functions and methods have no prototype; a class or an ordinary function may be constructed.
    if (value.prototype === undefined) return (value as (...args: unknown[]) => R)(...args);
    return Reflect.construct(value, args) as R;
  }

  /** The package that registered `key`; empty when it was registered by hand or is unknown. */
  ownerOf(key: string): string {
    return this.#map.get(key)?.owner ?? "";
  }

  keys(): string[] {
    return [...this.#map.keys()];
  }

  items(): [string, T][] {
    return [...this.#map].map(([key, entry]) => [key, entry.value as T]);
  }

  contains(key: string): boolean {
    return this.#map.has(key);
  }

  /** Removes every entry; for tests. */
  clear(): void {
    this.#map.clear();
  }
}
