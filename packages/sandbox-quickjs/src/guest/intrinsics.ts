// What the guest's own code may change later is taken here, before any of it has run.

type Method<T, A extends unknown[], R> = (this: T, ...args: A) => R;

const { bind, call } = Function.prototype;

/** A method as a function of its `this`. */
function uncurry<T, A extends unknown[], R>(method: Method<T, A, R>): (self: T, ...args: A) => R {
  return bind.call(call, method) as (self: T, ...args: A) => R;
}

export const { parse } = JSON;
export const stringify = JSON.stringify as (
  value: unknown,
  replacer?: (this: object, key: string, item: unknown) => unknown,
) => string | undefined;
export const { freeze, getOwnPropertyDescriptor } = Object;
export const getPrototypeOf = Object.getPrototypeOf as (value: object) => object | null;
export const { ownKeys } = Reflect;
export const apply = Reflect.apply as (target: unknown, self: unknown, args: unknown[]) => unknown;
export const { isArray } = Array;
export const { isFinite: isFiniteNumber, isInteger } = Number;
export const { min, trunc } = Math;
export const number = Number;
export const text = String;
export const ErrorClass = Error;
export const TypeErrorClass = TypeError;
export const objectPrototype: object = Object.prototype;
export const arrayPrototype: object = Array.prototype;
export const toStringTag: symbol = Symbol.toStringTag;
export const reject = bind.call(Promise.reject, Promise) as (reason: unknown) => Promise<never>;

export const join = uncurry(Array.prototype.join);
export const slice = uncurry(String.prototype.slice);
export const includes = uncurry(String.prototype.includes);
export const replaceAll = uncurry(String.prototype.replaceAll as (from: string, to: string) => string);
export const startsWith = uncurry(String.prototype.startsWith);
export const isWellFormed = uncurry(String.prototype.isWellFormed);
export const toWellFormed = uncurry(String.prototype.toWellFormed);
export const hasOwn = uncurry(Object.prototype.hasOwnProperty);
export const tagOf = uncurry(Object.prototype.toString);
export const matchPattern = uncurry(RegExp.prototype.exec);
export const functionText = uncurry(Function.prototype.toString);
export const symbolText = uncurry(Symbol.prototype.toString);
export const dateText = uncurry(Date.prototype.toISOString);
export const dateTime = uncurry(Date.prototype.getTime);
export const patternText = uncurry(RegExp.prototype.toString);
export const mapForEach = uncurry(
  Map.prototype.forEach as (
    this: Map<unknown, unknown>,
    visit: (item: unknown, key: unknown) => void,
  ) => void,
);
export const setForEach = uncurry(
  Set.prototype.forEach as (this: Set<unknown>, visit: (item: unknown) => void) => void,
);
export const mapSize = getter<number>(Map.prototype, "size");
export const setSize = getter<number>(Set.prototype, "size");
export const bufferLength = getter<number>(ArrayBuffer.prototype, "byteLength");
export const typedArrayTag = getter<string | undefined>(
  Object.getPrototypeOf(Uint8Array.prototype) as object,
  Symbol.toStringTag,
);

const { setPrototypeOf, defineProperty } = Object;

/** A text as a JSON literal. */
export function quote(value: string): string {
  return stringify(value) ?? "";
}

/** An empty list that what the guest does to arrays does not reach: it has index and length, and no methods. */
export function newList<T>(): T[] {
  return setPrototypeOf([], null) as T[];
}

/** How a property may be used; all are false when nothing is said. */
export interface Access {
  enumerable?: boolean;
  configurable?: boolean;
  writable?: boolean;
}

/** Defines a property with a value. */
export function define(target: object, key: PropertyKey, value: unknown, access: Access = {}): void {
  // Without a prototype, what the guest adds to objects is no part of it.
  const descriptor: PropertyDescriptor & { __proto__: null } = {
    __proto__: null,
    value,
    enumerable: access.enumerable === true,
    configurable: access.configurable === true,
    writable: access.writable === true,
  };
  defineProperty(target, key, descriptor);
}

/** The value of an own property that is no accessor; undefined when there is none. */
export function ownValue(target: object, key: PropertyKey): unknown {
  const descriptor = getOwnPropertyDescriptor(target, key);
  return descriptor !== undefined && hasOwn(descriptor, "value") ? descriptor.value : undefined;
}

/** The getter of a property that only real instances of a class have. */
function getter<R>(prototype: object, key: PropertyKey): (self: unknown) => R {
  const get = Object.getOwnPropertyDescriptor(prototype, key)?.get;
  if (get === undefined) throw new TypeError(`no getter ${String(key)}`);
  return uncurry(get as () => R);
}
