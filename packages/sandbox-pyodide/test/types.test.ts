import type { CodeSandbox, SandboxLimits, SandboxSession } from "@openjarvis/core";
import { describe, expect, expectTypeOf, it } from "vitest";
import { type CellLimits, defaultLimits, PyodideSandbox, type PyodideSandboxOptions } from "../src/index.js";

describe("the public types", () => {
  it("are those of the contract", () => {
    expectTypeOf<PyodideSandbox>().toMatchTypeOf<CodeSandbox>();
    expectTypeOf<CellLimits>().toEqualTypeOf<Required<SandboxLimits>>();
    expectTypeOf<PyodideSandboxOptions["limits"]>().toEqualTypeOf<SandboxLimits | undefined>();
    expectTypeOf<ReturnType<PyodideSandbox["createSession"]>>().resolves.toEqualTypeOf<SandboxSession>();
  });
});

describe("the options", () => {
  it.each([
    [{ limit: {} }, "limits"],
    [{ limits: { timeoutMs: 1.5 } }, "timeoutMs"],
    [{ limits: { memoryBytes: 1 } }, "memoryBytes"],
    [{ maxSessions: 0 }, "maxSessions"],
    [{ graceMs: -1 }, "graceMs"],
    [{ startTimeoutMs: 1 }, "startTimeoutMs"],
  ])("%j are refused", (options, name) => {
    expect(() => new PyodideSandbox(options as never)).toThrow(name);
  });

  it("have defaults for every limit", () => {
    expect(Object.values(defaultLimits).every((value) => value > 0)).toBe(true);
  });
});
