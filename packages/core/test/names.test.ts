import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { didYouMean, nearestName } from "../src/index.js";

const tools = ["calculator", "think", "web_search", "file_read"];

describe("nearestName", () => {
  it.each<[string, string | undefined]>([
    ["calculater", "calculator"],
    ["calcualtor", "calculator"],
    ["Calculator", "calculator"],
    ["CALCULATR", "calculator"],
    ["thnik", "think"],
    ["websearch", "web_search"],
    ["file-read", "file_read"],
    ["calc", undefined],
    ["shell", undefined],
    ["", undefined],
    ["x".repeat(100_000), undefined],
  ])("of %.20j is %j", (name, expected) => {
    expect(nearestName(name, tools)).toBe(expected);
  });

  it("takes the nearest of several, the first of equals", () => {
    expect(nearestName("cat", ["cart", "bat", "cat2"])).toBe("cart");
    expect(nearestName("schedule_tsk", ["schedule_tasks", "schedule_task"])).toBe("schedule_task");
  });

  it("counts a swap of neighbours as one slip", () => {
    expect(nearestName("ab", ["ba"])).toBe("ba");
    expect(nearestName("abc", ["cab"])).toBeUndefined();
  });

  it("finds a name behind any single slip", () => {
    const slips = fc.constantFrom("drop", "double", "change");
    fc.assert(
      fc.property(fc.constantFrom(...tools), fc.nat(), slips, (name, place, slip) => {
        const at = place % name.length;
        const middle = { drop: "", double: name.charAt(at).repeat(2), change: "0" }[slip];
        expect(nearestName(name.slice(0, at) + middle + name.slice(at + 1), tools)).toBe(name);
      }),
    );
  });
});

describe("didYouMean", () => {
  it("is a sentence to append, or nothing", () => {
    expect(didYouMean("thinks", tools)).toBe(' Did you mean "think"?');
    expect(didYouMean("shell", tools)).toBe("");
  });
});
