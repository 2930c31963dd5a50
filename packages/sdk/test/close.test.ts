import { SimpleAgent } from "@openjarvis/agent-simple";
import { AgentRegistry, EngineRegistry, JarvisError } from "@openjarvis/core";
import { recordEvents, ScriptedEngine } from "@openjarvis/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeWorld, type World } from "./world.js";

let world: World;

beforeEach(async () => {
  world = await makeWorld();
  AgentRegistry.registerValue("simple", SimpleAgent);
});

afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

/** An engine that counts how often it is closed, and may fail at it. */
function closable(id: string, failure?: Error) {
  const engine = new ScriptedEngine(() => "x", { engineId: id });
  const state = { made: 0, closed: 0 };
  engine.close = async () => {
    state.closed += 1;
    if (failure !== undefined) throw failure;
  };
  EngineRegistry.registerValue(id, () => {
    state.made += 1;
    return engine;
  });
  return state;
}

describe("closing", () => {
  it("closes each engine once, however often it is called, and makes later calls fail", async () => {
    const one = closable("one");
    const two = closable("two");
    const unused = closable("unused");
    const jarvis = world.jarvis();
    const system = await jarvis.system();
    await jarvis.ask("q", { engine: "one" });
    await jarvis.ask("q", { engine: "one" });
    await jarvis.ask("q", { engine: "two" });
    await Promise.all([jarvis.close(), jarvis.close(), system.close()]);
    await jarvis.close();
    expect([one, two, unused]).toEqual([
      { made: 1, closed: 1 },
      { made: 1, closed: 1 },
      { made: 0, closed: 0 },
    ]);
    const closed = { code: "OJ_CLOSED" };
    await expect(jarvis.ask("q")).rejects.toMatchObject(closed);
    await expect(jarvis.askFull("q")).rejects.toMatchObject(closed);
    await expect(jarvis.listEngines()).rejects.toMatchObject(closed);
    await expect(jarvis.listModels()).rejects.toMatchObject(closed);
    await expect(jarvis.system()).rejects.toMatchObject(closed);
    await expect(system.askFull("q")).rejects.toMatchObject(closed);
    await expect(system.resolveEngine()).rejects.toMatchObject(closed);
    await expect(system.createAgent({} as never)).rejects.toMatchObject(closed);
  });

  it("before the first use does nothing", async () => {
    const jarvis = world.jarvis();
    await jarvis.close();
    await expect(jarvis.ask("q")).rejects.toMatchObject({ code: "OJ_CLOSED" });
  });

  it("closes everything even when something fails, and names all that did", async () => {
    const bad = closable("bad", new JarvisError("OJ_ENGINE_SERVER", "will not stop"));
    const worse = closable("worse", new Error("stuck"));
    const good = closable("good");
    const jarvis = world.jarvis();
    for (const engine of ["bad", "worse", "good"]) await jarvis.ask("q", { engine });
    const closing = jarvis.close();
    await expect(closing).rejects.toMatchObject({
      code: "OJ_ENGINE_SERVER",
      message: expect.stringMatching(/not all of it: engine "bad": will not stop; engine "worse": stuck/),
      cause: expect.any(AggregateError),
    });
    await expect(jarvis.close()).rejects.toBeDefined();
    expect([bad.closed, worse.closed, good.closed]).toEqual([1, 1, 1]);
  });

  it("cancels runs in flight and waits for them before it closes engines", async () => {
    const order: string[] = [];
    const engine = new ScriptedEngine(() => ({ text: "par", hang: true }), { engineId: "slow" });
    engine.close = async () => void order.push("engine closed");
    EngineRegistry.registerValue("slow", () => engine);
    const jarvis = world.jarvis({ engine: "slow" });
    const events = recordEvents(jarvis.bus);
    jarvis.bus.subscribe("AGENT_TURN_END", () => order.push("run ended"));
    const asks = [jarvis.askFull("a"), jarvis.ask("b").catch((error: unknown) => error)] as const;
    await new Promise((done) => setTimeout(done, 20));
    await jarvis.close();
    expect((await asks[0]).stopReason).toBe("aborted");
    expect(await asks[1]).toMatchObject({ code: "OJ_ABORTED" });
    expect(order).toEqual(["run ended", "run ended", "engine closed"]);
    events.assertBalanced();
  });

  it("works with await using", async () => {
    const state = closable("mine");
    {
      await using jarvis = world.jarvis({ engine: "mine" });
      await jarvis.ask("q");
    }
    expect(state.closed).toBe(1);
  });

  it("a system that cannot be built is tried again by the next call", async () => {
    closable("rules");
    await world.write("home/config.toml", "[wrong]\n");
    const jarvis = world.jarvis();
    await expect(jarvis.ask("q")).rejects.toMatchObject({ code: "OJ_CONFIG_KEY" });
    await world.write("home/config.toml", "");
    expect(await jarvis.ask("q")).toBe("x");
  });
});
