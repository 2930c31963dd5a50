import { EventBus, isJarvisError } from "@openjarvis/core";
import { describe, expect, it } from "vitest";
import { fakeClock } from "../src/index.js";

describe("fakeClock", () => {
  it("stands still until it is advanced", async () => {
    const clock = fakeClock("2031-02-03T04:05:06Z");
    expect(clock.date().toISOString()).toBe("2031-02-03T04:05:06.000Z");
    await clock.advance(1500);
    expect(clock.now()).toBe(Date.parse("2031-02-03T04:05:07.500Z"));
  });

  it("stands in for a clock that is injected", async () => {
    const clock = fakeClock(1000);
    const bus = new EventBus({ now: clock.now });
    await clock.advance(5);
    expect(bus.publish("WARNING", { message: "", source: "" }).timestamp).toBe(1005);
  });

  it("fires timers in the order of their time, those that timers set included", async () => {
    const clock = fakeClock(0);
    const fired: [string, number][] = [];
    const note = (name: string) => void fired.push([name, clock.now()]);
    clock.setTimeout(() => note("late"), 300);
    clock.setTimeout(() => {
      note("early");
      clock.setTimeout(() => note("from early"), 50);
    }, 100);
    clock.setTimeout(() => note("second at the same time"), 100);
    const cleared = clock.setTimeout(() => note("cleared"), 150);
    clock.clearTimeout(cleared);
    clock.clearTimeout(undefined);
    expect(clock.pending()).toBe(3);
    await clock.advance(200);
    expect(fired).toEqual([
      ["early", 100],
      ["second at the same time", 100],
      ["from early", 150],
    ]);
    await clock.advance(100);
    expect(fired.at(-1)).toEqual(["late", 300]);
    expect(clock.pending()).toBe(0);
  });

  it("lets a loop that sleeps run its rounds", async () => {
    const clock = fakeClock(0);
    const rounds: number[] = [];
    const loop = (async () => {
      for (let round = 0; round < 3; round += 1) {
        await clock.sleep(1000);
        rounds.push(clock.now());
      }
    })();
    await clock.advance(2500);
    expect(rounds).toEqual([1000, 2000]);
    await clock.advance(500);
    await loop;
    expect(rounds).toEqual([1000, 2000, 3000]);
  });

  it("cancels a sleep with its signal, before or during it, and leaves no timer", async () => {
    const clock = fakeClock(0);
    const controller = new AbortController();
    const sleeping = clock.sleep(1000, { signal: controller.signal });
    controller.abort();
    await expect(sleeping).rejects.toSatisfy((error) => isJarvisError(error, "OJ_ABORTED"));
    await expect(clock.sleep(1000, { signal: AbortSignal.abort() })).rejects.toThrow("cancelled");
    expect(clock.pending()).toBe(0);
  });

  it("refuses a start that is no time", () => {
    expect(() => fakeClock("tomorrow")).toThrow('"tomorrow" is no time a clock can begin at.');
  });
});
