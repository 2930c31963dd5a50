import { describe, expect, expectTypeOf, it } from "vitest";
import { type AnyEvent, EventBus, type JarvisEvent } from "../src/index.js";

const warning = (message: string) => ({ message, source: "test" });

function busWithErrors(): { bus: EventBus; errors: [unknown, string][] } {
  const errors: [unknown, string][] = [];
  const bus = new EventBus({
    onSubscriberError: (error, event) => errors.push([error, event.type]),
    now: () => 1_000,
  });
  return { bus, errors };
}

describe("EventBus", () => {
  it("delivers to subscribers of the type and of everything, in order, before publish returns", () => {
    const { bus } = busWithErrors();
    const seen: string[] = [];
    bus.subscribe("*", (event) => seen.push(`all ${event.type}`));
    bus.subscribe("WARNING", (event) => seen.push(`first ${event.data.message}`));
    bus.subscribe("WARNING", () => seen.push("second"));
    bus.publish("WARNING", warning("w"));
    bus.publish("AGENT_TURN_START", { agent: "a", input: "", model: "" });
    expect(seen).toEqual(["first w", "second", "all WARNING", "all AGENT_TURN_START"]);
  });

  it("numbers events, stamps them and names their run", () => {
    const { bus } = busWithErrors();
    const first = bus.publish("WARNING", warning("1"));
    const second = bus.publish("WARNING", warning("2"), { runId: "run_1", parentId: "run_0" });
    expect(first).toEqual({
      type: "WARNING",
      timestamp: 1_000,
      seq: 1,
      runId: "",
      parentId: "",
      data: warning("1"),
    });
    expect(second).toMatchObject({ seq: 2, runId: "run_1", parentId: "run_0" });
    expectTypeOf(first).toEqualTypeOf<JarvisEvent<"WARNING">>();
    expectTypeOf(first.data.message).toEqualTypeOf<string>();
  });

  it("keeps a throwing subscriber from the publisher and the others, and reports it", () => {
    const { bus, errors } = busWithErrors();
    const error = new Error("broken");
    let calls = 0;
    bus.subscribe("WARNING", () => {
      throw error;
    });
    bus.subscribe("WARNING", () => {
      calls += 1;
    });
    expect(bus.publish("WARNING", warning("w")).seq).toBe(1);
    expect(calls).toBe(1);
    expect(errors).toEqual([[error, "WARNING"]]);
  });

  it("reports a subscriber that rejects", async () => {
    const { bus, errors } = busWithErrors();
    const error = new Error("later");
    bus.subscribe("WARNING", async () => {
      await Promise.resolve();
      throw error;
    });
    bus.publish("WARNING", warning("w"));
    expect(errors).toEqual([]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(errors).toEqual([[error, "WARNING"]]);
  });

  it("survives a reporter that throws", () => {
    const bus = new EventBus({
      onSubscriberError: () => {
        throw new Error("reporter");
      },
    });
    bus.subscribe("WARNING", () => {
      throw new Error("subscriber");
    });
    expect(() => bus.publish("WARNING", warning("w"))).not.toThrow();
  });

  it("reports with a process warning when nobody else is told", async () => {
    const warned = new Promise<Error>((resolve) => process.once("warning", resolve));
    const bus = new EventBus();
    bus.subscribe("WARNING", () => {
      throw new Error("broken");
    });
    bus.publish("WARNING", warning("w"));
    expect(await warned).toMatchObject({
      name: "OpenJarvisWarning",
      message: "A subscriber of WARNING failed: broken",
    });
  });

  it("ends a subscription by either way, and twice is no error", () => {
    const { bus } = busWithErrors();
    let calls = 0;
    const count = () => {
      calls += 1;
    };
    const end = bus.subscribe("WARNING", count);
    end();
    end();
    bus.subscribe("WARNING", count);
    bus.unsubscribe("WARNING", count);
    bus.unsubscribe("WARNING", count);
    bus.publish("WARNING", warning("w"));
    expect(calls).toBe(0);
  });

  it("ends one subscription of a function that is subscribed twice", () => {
    const { bus } = busWithErrors();
    let calls = 0;
    const count = () => {
      calls += 1;
    };
    const end = bus.subscribe("WARNING", count);
    bus.subscribe("WARNING", count);
    end();
    end();
    bus.publish("WARNING", warning("w"));
    expect(calls).toBe(1);
  });

  it("finishes a delivery with the subscribers it began with", () => {
    const { bus } = busWithErrors();
    const seen: string[] = [];
    const late = () => seen.push("late");
    const endFirst = bus.subscribe("WARNING", () => {
      seen.push("first");
      endFirst();
      endSecond();
      bus.subscribe("WARNING", late);
    });
    const endSecond = bus.subscribe("WARNING", () => seen.push("second"));
    bus.publish("WARNING", warning("1"));
    expect(seen).toEqual(["first", "second"]);
    bus.publish("WARNING", warning("2"));
    expect(seen).toEqual(["first", "second", "late"]);
  });

  it("knows whether anybody listens", () => {
    const { bus } = busWithErrors();
    expect(bus.hasSubscribers("WARNING")).toBe(false);
    const end = bus.subscribe("WARNING", () => {});
    expect([bus.hasSubscribers("WARNING"), bus.hasSubscribers("TOOL_PROGRESS")]).toEqual([true, false]);
    end();
    const endAll = bus.subscribe("*", () => {});
    expect(bus.hasSubscribers("TOOL_PROGRESS")).toBe(true);
    endAll();
    expect(bus.hasSubscribers("TOOL_PROGRESS")).toBe(false);
  });

  it("narrows any event by its type", () => {
    expectTypeOf<Extract<AnyEvent, { type: "TOOL_TIMEOUT" }>["data"]["timeout"]>().toEqualTypeOf<number>();
  });
});

describe("EventBus.events", () => {
  it("yields what is published from then on until its signal fires", async () => {
    const { bus } = busWithErrors();
    bus.publish("WARNING", warning("before"));
    const controller = new AbortController();
    const events = bus.events({ signal: controller.signal });
    bus.publish("WARNING", warning("1"));
    queueMicrotask(() => {
      bus.publish("WARNING", warning("2"));
      controller.abort();
      bus.publish("WARNING", warning("after"));
    });
    const seen: number[] = [];
    for await (const event of events) seen.push(event.seq);
    expect(seen).toEqual([2, 3]);
    expect(bus.hasSubscribers("WARNING")).toBe(false);
  });

  it("ends its subscription when the loop is left", async () => {
    const { bus } = busWithErrors();
    const events = bus.events();
    bus.publish("WARNING", warning("1"));
    bus.publish("WARNING", warning("2"));
    for await (const event of events) {
      expect(event.seq).toBe(1);
      break;
    }
    expect(bus.hasSubscribers("WARNING")).toBe(false);
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  it("drops the oldest past its limit and says how many", async () => {
    const { bus } = busWithErrors();
    const events = bus.events({ limit: 2 });
    for (let index = 1; index <= 5; index += 1) bus.publish("WARNING", warning(String(index)));
    expect((await events.next()).value).toMatchObject({ seq: 4, dropped: 3 });
    const next = (await events.next()).value;
    expect(next).toMatchObject({ seq: 5 });
    expect(next).not.toHaveProperty("dropped");
    await events.return?.();
  });

  it("wakes everybody who waits when it ends", async () => {
    const { bus } = busWithErrors();
    const controller = new AbortController();
    const events = bus.events({ signal: controller.signal });
    const waiting = [events.next(), events.next()];
    bus.publish("WARNING", warning("1"));
    controller.abort();
    expect((await Promise.all(waiting)).map(({ done }) => done)).toEqual([false, true]);
  });

  it("is empty under a signal that has fired", async () => {
    const { bus } = busWithErrors();
    const events = bus.events({ signal: AbortSignal.abort() });
    bus.publish("WARNING", warning("1"));
    expect(await events.next()).toEqual({ done: true, value: undefined });
    expect(bus.hasSubscribers("WARNING")).toBe(false);
  });

  it.each([0, -1, 1.5, Number.NaN])("refuses the limit %f", (limit) => {
    const { bus } = busWithErrors();
    expect(() => bus.events({ limit })).toThrow(/limit must be a whole number/);
    expect(bus.hasSubscribers("WARNING")).toBe(false);
  });
});
