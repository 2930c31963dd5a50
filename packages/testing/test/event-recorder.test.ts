import { EventBus, type EventMap, type EventType, type RunRef } from "@openjarvis/core";
import { describe, expect, expectTypeOf, it } from "vitest";
import { recordEvents } from "../src/index.js";

const run = (runId: string): RunRef => ({ runId, parentId: "" });
const toolStart = (callId: string): EventMap["TOOL_CALL_START"] => ({
  tool: "t",
  arguments: {},
  agent: "a",
  callId,
});
const toolEnd = (callId: string): EventMap["TOOL_CALL_END"] => ({
  tool: "t",
  agent: "a",
  callId,
  success: true,
  latency: 0,
  result: "",
  metadata: {},
});
const data: Partial<EventMap> = {
  AGENT_TURN_START: { agent: "a", input: "", model: "m" },
  AGENT_TURN_END: { agent: "a", turns: 1, contentLength: 0 },
  TOOL_CALL_START: toolStart("1"),
  TOOL_CALL_END: toolEnd("1"),
  INFERENCE_START: { model: "m", engine: "e", messageCount: 1 },
  INFERENCE_END: {
    model: "m",
    engine: "e",
    latency: 0,
    usage: { promptTokens: 0, completionTokens: 0, totalTokens: 0 },
    content: "",
    reasoning: "",
    toolCalls: [],
    finishReason: "stop",
  },
};

function recorded(...types: EventType[]) {
  const bus = new EventBus();
  const events = recordEvents(bus);
  for (const type of types) bus.publish(type, data[type] as never, run("r"));
  return events;
}

describe("recordEvents", () => {
  it("lists, counts and picks the events of a bus", () => {
    const bus = new EventBus();
    using events = recordEvents(bus);
    bus.publish("WARNING", { message: "one", source: "s" }, run("a"));
    bus.publish("TOOL_PROGRESS", { tool: "t", callId: "1", message: "half" }, run("b"));
    bus.publish("WARNING", { message: "two", source: "s" }, run("b"));
    expect(events.types).toEqual(["WARNING", "TOOL_PROGRESS", "WARNING"]);
    expect(events.counts).toEqual({ WARNING: 2, TOOL_PROGRESS: 1 });
    expect(events.of("WARNING").map((event) => event.data.message)).toEqual(["one", "two"]);
    expect(events.ofRun("b").map(({ type }) => type)).toEqual(["TOOL_PROGRESS", "WARNING"]);
    expectTypeOf(events.of("TOOL_TIMEOUT"))
      .items.toHaveProperty("data")
      .toEqualTypeOf<EventMap["TOOL_TIMEOUT"]>();
  });

  it("forgets on clear and stops on stop", () => {
    const bus = new EventBus();
    const events = recordEvents(bus);
    bus.publish("WARNING", { message: "one", source: "s" });
    events.clear();
    expect(events.list).toEqual([]);
    bus.publish("WARNING", { message: "two", source: "s" });
    events.stop();
    bus.publish("WARNING", { message: "three", source: "s" });
    expect(events.of("WARNING").map((event) => event.data.message)).toEqual(["two"]);
    expect(bus.hasSubscribers("WARNING")).toBe(false);
  });

  it("finds nothing wrong with a run whose events are balanced", () => {
    const events = recorded(
      "AGENT_TURN_START",
      "INFERENCE_START",
      "INFERENCE_END",
      "TOOL_CALL_START",
      "TOOL_CALL_END",
      "TOOL_CALL_START",
      "TOOL_CALL_END",
      "AGENT_TURN_END",
      "WARNING",
    );
    events.assertBalanced();
  });

  it("pairs interleaved calls by their ids, and runs by theirs", () => {
    const bus = new EventBus();
    const events = recordEvents(bus);
    for (const id of ["a", "b"])
      bus.publish("AGENT_TURN_START", { agent: "x", input: "", model: "m" }, run(id));
    for (const id of ["1", "2"]) bus.publish("TOOL_CALL_START", toolStart(id), run("a"));
    bus.publish("TOOL_CALL_START", toolStart("1"), run("b"));
    for (const id of ["2", "1"]) bus.publish("TOOL_CALL_END", toolEnd(id), run("a"));
    bus.publish("TOOL_CALL_END", toolEnd("1"), run("b"));
    for (const id of ["b", "a"])
      bus.publish("AGENT_TURN_END", { agent: "x", turns: 1, contentLength: 0 }, run(id));
    events.assertBalanced();
  });

  it("only pairs events that belong to no run", () => {
    const bus = new EventBus();
    const events = recordEvents(bus);
    bus.publish("TOOL_CALL_START", toolStart("1"));
    expect(() => events.assertBalanced()).toThrow(
      "events outside a run: TOOL_CALL_START of 1 without TOOL_CALL_END",
    );
    bus.publish("TOOL_CALL_END", toolEnd("1"));
    events.assertBalanced();
  });

  it.each<[EventType[], string]>([
    [["AGENT_TURN_START"], "AGENT_TURN_START without AGENT_TURN_END"],
    [["AGENT_TURN_END"], "ends a run that never started"],
    [["AGENT_TURN_START", "AGENT_TURN_START", "AGENT_TURN_END"], "starts a run a second time"],
    [["AGENT_TURN_START", "AGENT_TURN_END", "AGENT_TURN_END"], "ends a run a second time"],
    [["TOOL_CALL_START"], "TOOL_CALL_START of 1 without TOOL_CALL_END"],
    [["TOOL_CALL_END"], "ends the call 1, which is not open"],
    [["TOOL_CALL_START", "TOOL_CALL_START", "TOOL_CALL_END"], "starts the call 1, which is open already"],
    [
      ["AGENT_TURN_START", "TOOL_CALL_START", "AGENT_TURN_END", "TOOL_CALL_END"],
      "comes while a tool call is open",
    ],
    [
      ["AGENT_TURN_START", "AGENT_TURN_END", "TOOL_CALL_START", "TOOL_CALL_END"],
      "comes after the run has ended",
    ],
    [["INFERENCE_START"], "1 INFERENCE_START without INFERENCE_END"],
    [["INFERENCE_END"], "ends an inference call that never started"],
    [
      ["AGENT_TURN_START", "INFERENCE_START", "AGENT_TURN_END", "INFERENCE_END"],
      "while an inference call is open",
    ],
    [
      ["AGENT_TURN_START", "AGENT_TURN_END", "INFERENCE_START", "INFERENCE_END"],
      "comes after the run has ended",
    ],
  ])("reports %j", (types, message) => {
    expect(() => recorded(...types).assertBalanced()).toThrow(message);
  });

  it("reports a seq that does not count up", () => {
    const bus = new EventBus();
    const events = recordEvents(bus);
    const first = bus.publish("WARNING", { message: "a", source: "s" });
    bus.publish("WARNING", { message: "b", source: "s" });
    first.seq = 5;
    expect(() => events.assertBalanced()).toThrow("seq 2 of WARNING does not follow 5");
  });
});
