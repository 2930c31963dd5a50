import { describe, expect, it } from "vitest";
import { LoopGuard, type LoopGuardOptions } from "../src/index.js";

type Step = [name: string, args: string, outcome?: string];

/** Judges calls one after the other and records what they bring; a blocked call brings nothing. */
function verdictsOf(steps: readonly Step[], options: LoopGuardOptions = {}, polling = false): string[] {
  const guard = new LoopGuard(options);
  return steps.map(([name, args, outcome = "same"]) => {
    const verdict = guard.check(name, args, polling);
    if (verdict.action !== "block") guard.record(verdict, { content: outcome, success: true });
    return verdict.reasonType === undefined ? verdict.action : `${verdict.action} ${verdict.reasonType}`;
  });
}

const repeat = (count: number, ...steps: Step[]): Step[] => Array.from({ length: count }, () => steps).flat();
const allow = (count: number) => Array(count).fill("allow");

describe("LoopGuard", () => {
  it.each<[string, Step[], string[]]>([
    [
      "lets three equal calls run, warns at the fourth and blocks the fifth",
      repeat(6, ["calc", "{}"]),
      [...allow(3), "warn identical_call", "block identical_call", "block identical_call"],
    ],
    [
      "takes the order of keys and white space for nothing",
      [
        ["t", '{"a":1,"b":[{"c":2,"d":3}]}'],
        ["t", '{ "b": [{"d":3,"c":2}], "a": 1 }'],
        ["t", '{"b":[{"c":2,"d":3}],"a":1}'],
        ["t", '{"a":1,\n"b":[{"d":3,"c":2}]}'],
      ],
      [...allow(3), "warn identical_call"],
    ],
    ["tells arguments apart", Array.from({ length: 10 }, (_, n): Step => ["calc", `{"n":${n}}`]), allow(10)],
    ["tells tools apart", Array.from({ length: 10 }, (_, n): Step => [`tool_${n}`, "{}"]), allow(10)],
    [
      "compares arguments that are no JSON as text",
      repeat(4, ["t", "{bad "], ["t", "{bad"]),
      [...allow(3), "warn identical_call", ...Array(4).fill("block identical_call")],
    ],
    [
      "takes another outcome for progress",
      Array.from({ length: 12 }, (_, n): Step => ["status", "{}", `at ${n} %`]),
      allow(12),
    ],
    [
      "counts anew after another outcome",
      [...repeat(3, ["s", "{}"] as Step), ["s", "{}", "new"], ...repeat(2, ["s", "{}", "new"] as Step)],
      [...allow(3), "warn identical_call", ...allow(2)],
    ],
    [
      "warns about two calls in turn at the sixth and blocks after",
      repeat(4, ["a", "{}"], ["b", "{}"]),
      [...allow(5), "warn ping_pong", "block ping_pong", "block ping_pong"],
    ],
    [
      "warns about three calls in turn",
      repeat(3, ["a", "{}"], ["b", "{}"], ["c", "{}"]),
      [...allow(5), "warn ping_pong", "block ping_pong", "block ping_pong", "block ping_pong"],
    ],
    [
      "sees no turn where the arguments change",
      Array.from({ length: 12 }, (_, n): Step => [n % 2 === 0 ? "a" : "b", `{"n":${n}}`]),
      allow(12),
    ],
    [
      "sees no turn where the outcomes change",
      Array.from({ length: 12 }, (_, n): Step => [n % 2 === 0 ? "test" : "log", "{}", `${n}`]),
      allow(12),
    ],
  ])("%s", (_name, steps, expected) => {
    expect(verdictsOf(steps)).toEqual(expected);
  });

  it("warns once for each kind of offence", () => {
    const steps: Step[] = [...repeat(4, ["a", "{}"] as Step), ...repeat(4, ["b", "{}"] as Step)];
    expect(verdictsOf(steps)).toEqual([
      ...allow(3),
      "warn identical_call",
      ...allow(3),
      "warn identical_call",
    ]);
  });

  it("gives polling tools a budget of their own and no pattern", () => {
    const steps = repeat(32, ["status", "{}"]);
    expect(verdictsOf(steps, {}, true)).toEqual([...allow(30), "warn poll_budget", "block poll_budget"]);
    expect(verdictsOf(repeat(5, ["a", "{}"], ["b", "{}"]), {}, true)).toEqual(allow(10));
    expect(verdictsOf(repeat(4, ["status", "{}"]), { pollToolBudget: 2 }, true)).toEqual([
      ...allow(2),
      "warn poll_budget",
      "block poll_budget",
    ]);
  });

  it("takes its limits from its options and can be off", () => {
    expect(verdictsOf(repeat(3, ["a", "{}"]), { maxIdenticalCalls: 1 })).toEqual([
      "allow",
      "warn identical_call",
      "block identical_call",
    ]);
    expect(verdictsOf(repeat(3, ["a", "{}"], ["b", "{}"]), { pingPongWindow: 4 })).toEqual([
      ...allow(3),
      "warn ping_pong",
      "block ping_pong",
      "block ping_pong",
    ]);
    expect(verdictsOf(repeat(20, ["a", "{}"]), { enabled: false })).toEqual(allow(20));
  });

  it("says what is repeated, and counts what it blocks", () => {
    const guard = new LoopGuard();
    const verdicts = Array.from({ length: 6 }, () => guard.check("calc", "{}"));
    expect(verdicts[3]?.reason).toBe("calc was called 4 times with the same arguments and the same outcome");
    expect(verdicts[0]?.reason).toBe("");
    expect(guard.blockedCalls).toBe(2);
  });

  it("judges calls of one turn before any of them has brought something", () => {
    const guard = new LoopGuard();
    const verdicts = Array.from({ length: 5 }, () => guard.check("calc", "{}"));
    expect(verdicts.map((verdict) => verdict.action)).toEqual(["allow", "allow", "allow", "warn", "block"]);
  });

  it("keeps nothing between guards", () => {
    expect(verdictsOf(repeat(3, ["a", "{}"]))).toEqual(allow(3));
    expect(verdictsOf(repeat(3, ["a", "{}"]))).toEqual(allow(3));
  });

  it("bears arguments of any depth", () => {
    const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
    expect(verdictsOf(repeat(4, ["a", deep]))).toEqual([...allow(3), "warn identical_call"]);
  });

  it.each<[string, LoopGuardOptions]>([
    ["a mistyped limit", { maxIdentical: 2 } as never],
    ["a limit of zero", { maxIdenticalCalls: 0 }],
    ["a limit that is no number", { pingPongWindow: Number.NaN }],
  ])("refuses %s", (_name, options) => {
    expect(() => new LoopGuard(options)).toThrow(expect.objectContaining({ code: "OJ_OPTION" }));
  });
});
