import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import {
  abortedError,
  type ErrorCode,
  errorCodes,
  errorText,
  isJarvisError,
  JarvisError,
  throwIfAborted,
} from "../src/index.js";

describe("JarvisError", () => {
  it("is an error with code, hint, details and cause", () => {
    const cause = new Error("connect ECONNREFUSED");
    const error = new JarvisError("OJ_ENGINE_UNREACHABLE", "Ollama does not answer.", {
      hint: "Start it.",
      cause,
      details: { address: "http://localhost:11434" },
    });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: "JarvisError",
      code: "OJ_ENGINE_UNREACHABLE",
      message: "Ollama does not answer.",
      hint: "Start it.",
      details: { address: "http://localhost:11434" },
    });
    expect(error.cause).toBe(cause);
    expect(error.format()).toBe("OJ_ENGINE_UNREACHABLE  Ollama does not answer.\n  Start it.");
  });

  it("takes the hint of the table and has no cause unless given", () => {
    const error = new JarvisError("OJ_USAGE", "What?");
    expect(error.hint).toBe(errorCodes.OJ_USAGE.help);
    expect("cause" in error).toBe(false);
    expect(error.details).toEqual({});
  });

  it("knows only codes of the table", () => {
    expectTypeOf<"OJ_ABORTED">().toExtend<ErrorCode>();
    expectTypeOf<"OJ_MISTYPED">().not.toExtend<ErrorCode>();
  });
});

describe("errorCodes", () => {
  it.each(Object.entries(errorCodes))("%s says what happened and what to do", (code, entry) => {
    expect(code).toMatch(/^OJ_[A-Z]+(_[A-Z]+)*$/);
    expect(entry.title).toMatch(/^\S.*[^.]$/);
    expect(entry.help).toMatch(/^\S.*\.$/);
  });
});

describe("isJarvisError", () => {
  it("knows an error by its brand and code, not by its class", () => {
    const branded = { [Symbol.for("openjarvis.error.v1")]: true, code: "OJ_ABORTED" };
    expect(isJarvisError(branded)).toBe(true);
    expect(isJarvisError(branded, "OJ_USAGE", "OJ_ABORTED")).toBe(true);
    expect(isJarvisError(branded, "OJ_USAGE")).toBe(false);
  });

  it.each([null, undefined, "OJ_ABORTED", 5, {}, new Error("x"), { code: "OJ_ABORTED" }])(
    "refuses %j",
    (value) => {
      expect(isJarvisError(value)).toBe(false);
    },
  );
});

describe("errorText", () => {
  const refused = new AggregateError([
    new Error("connect ECONNREFUSED ::1:1"),
    new Error("connect ECONNREFUSED 127.0.0.1:1"),
  ]);

  it.each<[string, unknown, string]>([
    ["a message", new Error("boom"), "boom"],
    ["a chain of causes", new Error("a", { cause: new Error("b", { cause: "c" }) }), "a: b: c"],
    [
      "a cause that says the same",
      new Error("read failed: EIO", { cause: new Error("EIO") }),
      "read failed: EIO",
    ],
    [
      "fetch",
      new TypeError("fetch failed", { cause: refused }),
      "fetch failed: connect ECONNREFUSED ::1:1, connect ECONNREFUSED 127.0.0.1:1",
    ],
    [
      "an aggregate with a message",
      new AggregateError([new Error("x"), "y"], "all failed"),
      "all failed: x, y",
    ],
    ["nested aggregates", new AggregateError([new AggregateError([new Error("deep")])]), "deep"],
    ["a code without a message", Object.assign(new Error(""), { code: "EPIPE" }), "EPIPE"],
    ["neither", new RangeError(""), "RangeError"],
    ["a text", "just text", "just text"],
    ["a number", 5, "5"],
    ["a symbol", Symbol("s"), "Symbol(s)"],
    ["an object with a message", { message: "from elsewhere" }, "from elsewhere"],
    ["a plain object", { status: 500 }, '{"status":500}'],
    ["an object with its own text", new URL("http://localhost/x"), "http://localhost/x"],
    ["undefined", undefined, "unknown error"],
    ["null", null, "unknown error"],
    ["the empty text", "", "unknown error"],
    ["an object without a prototype", Object.create(null), "unknown error"],
    ["a message that is no text", { message: 5, name: "Odd" }, '{"message":5,"name":"Odd"}'],
  ])("reads %s", (_name, error, expected) => {
    expect(errorText(error)).toBe(expected);
  });

  it("ends with causes and aggregates in a circle", () => {
    const error = new Error("a");
    error.cause = error;
    expect(errorText(error)).toBe("a");
    const aggregate = new AggregateError([], "all");
    aggregate.errors.push(aggregate);
    expect(errorText(aggregate)).toMatch(/^all(: all)+$/);
  });

  it("keeps what it read before a cause that cannot be read", () => {
    const error = new Error("outer", {
      cause: Object.defineProperty({}, "message", {
        get() {
          throw new Error("no");
        },
      }),
    });
    expect(errorText(error)).toBe("outer");
  });

  it("is a text that is not empty for anything", () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true }), (value) => {
        expect(errorText(value)).not.toBe("");
      }),
    );
  });
});

describe("throwIfAborted", () => {
  it("does nothing without a fired signal", () => {
    expect(() => throwIfAborted(undefined)).not.toThrow();
    expect(() => throwIfAborted(new AbortController().signal)).not.toThrow();
  });

  it("throws OJ_ABORTED with the reason as cause", () => {
    const signal = AbortSignal.abort("stop");
    expect(() => throwIfAborted(signal)).toThrow(
      expect.objectContaining({ code: "OJ_ABORTED", cause: "stop" }),
    );
  });

  it("throws the reason itself when it is a JarvisError", () => {
    const reason = new JarvisError("OJ_TOOL_TIMEOUT", "too slow");
    expect(abortedError(AbortSignal.abort(reason))).toBe(reason);
  });
});
