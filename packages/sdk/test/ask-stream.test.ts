import { OrchestratorAgent } from "@openjarvis/agent-orchestrator";
import { SimpleAgent } from "@openjarvis/agent-simple";
import {
  AgentRegistry,
  type AgentResult,
  type AgentRun,
  BaseAgent,
  type InferenceDelta,
  isJarvisError,
  ToolRegistry,
} from "@openjarvis/core";
import { recordEvents, ScriptedEngine } from "@openjarvis/testing";
import { CalculatorTool } from "@openjarvis/tool-calculator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeWorld, type World } from "./world.js";

let world: World;

beforeEach(async () => {
  world = await makeWorld();
  AgentRegistry.registerValue("simple", SimpleAgent);
  AgentRegistry.registerValue("orchestrator", OrchestratorAgent);
  ToolRegistry.registerValue("calculator", CalculatorTool);
});

afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

const jarvisOf = (script: ConstructorParameters<typeof ScriptedEngine>[0]) =>
  world.jarvis({ engine: new ScriptedEngine(script) });

async function all(pieces: AsyncIterable<string>): Promise<string[]> {
  const list: string[] = [];
  for await (const piece of pieces) list.push(piece);
  return list;
}

/** Deltas that come when they are asked for. */
function gated() {
  const waiting: (() => void)[] = [];
  let open = 0;
  return {
    release(count = 1) {
      open += count;
      for (const wake of waiting.splice(0)) wake();
    },
    async *deltas(texts: readonly string[], signal: AbortSignal | undefined): AsyncGenerator<InferenceDelta> {
      for (const text of texts) {
        while (open === 0) {
          signal?.throwIfAborted();
          await new Promise<void>((resolve) => {
            waiting.push(resolve);
            signal?.addEventListener("abort", () => resolve(), { once: true });
          });
        }
        open -= 1;
        yield { type: "text", text };
      }
    },
  };
}

describe("a streamed ask", () => {
  it("gives each piece as it arrives", async () => {
    const gate = gated();
    const jarvis = jarvisOf((_messages, { signal }) => gate.deltas(["one ", "two ", "three"], signal));
    const stream = jarvis.askStream("count");
    const got: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      const next = stream.next();
      gate.release();
      const { value } = await next;
      got.push(value ?? "");
    }
    expect(got).toEqual(["one ", "two ", "three"]);
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  it("joins what is not taken at once, and loses nothing", async () => {
    const words = Array.from({ length: 500 }, (_, index) => `w${index} `);
    const jarvis = jarvisOf([{ deltas: words.map((text) => ({ type: "text", text }) as const) }]);
    const pieces: string[] = [];
    for await (const piece of jarvis.askStream("talk")) {
      pieces.push(piece);
      await new Promise((done) => setTimeout(done, 1));
    }
    expect(pieces.join("")).toBe(words.join(""));
    expect(pieces.length).toBeLessThan(words.length);
  });

  it("is the same run: events carry its id, and the engine is asked once", async () => {
    const jarvis = jarvisOf(["Hello there."]);
    const events = recordEvents(jarvis.bus);
    expect((await all(jarvis.askStream("hi", { runId: "r1" }))).join("")).toBe("Hello there.");
    expect(events.counts.INFERENCE_START).toBe(1);
    expect(new Set(events.list.map(({ runId }) => runId))).toEqual(new Set(["r1"]));
    events.assertBalanced();
  });

  it("leaves reasoning out", async () => {
    const jarvis = jarvisOf([
      {
        deltas: ["<think>secret", " plan</think>", "Answer"].map((text) => ({ type: "text", text }) as const),
      },
    ]);
    expect((await all(jarvis.askStream("hi"))).join("").trim()).toBe("Answer");
  });

  it("begins a new paragraph after a tool call", async () => {
    const jarvis = jarvisOf([
      { text: "Let me calculate.", toolCalls: [{ name: "calculator", arguments: { expression: "2+2" } }] },
      "It is 4.",
    ]);
    const text = (await all(jarvis.askStream("2+2?", { tools: ["calculator"] }))).join("");
    expect(text).toBe("Let me calculate.\n\nIt is 4.");
  });

  it("ends with an answer that no model spoke", async () => {
    class ComputingAgent extends BaseAgent {
      readonly agentId = "computing";
      protected override async respond(run: AgentRun): Promise<AgentResult> {
        await this.generate(run, this.buildMessages(run));
        return this.result(run, "42", "final");
      }
    }
    AgentRegistry.registerValue("computing", ComputingAgent);
    const jarvis = jarvisOf(["FINAL(6 * 7)"]);
    expect((await all(jarvis.askStream("x", { agent: "computing" }))).join("")).toBe("FINAL(6 * 7)\n\n42");
  });

  it("does not repeat an answer whose white space the agent changed", async () => {
    const jarvis = jarvisOf([
      { text: "  One two ", finishReason: "length" },
      { text: " three.\n", finishReason: "stop" },
    ]);
    const text = (await all(jarvis.askStream("x", { agent: "orchestrator" }))).join("");
    expect(text.replace(/\s+/g, " ").trim()).toBe("One two three.");
  });

  it("begins nothing before the first piece is asked for", async () => {
    const engine = new ScriptedEngine(() => "x");
    const jarvis = world.jarvis({ engine });
    const stream = jarvis.askStream("hi");
    await new Promise((done) => setTimeout(done, 10));
    expect(engine.callCount).toBe(0);
    await stream.return?.();
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect(engine.callCount).toBe(0);
  });
});

describe("leaving a streamed ask early", () => {
  it("cancels the run and waits for its end", async () => {
    const gate = gated();
    const jarvis = jarvisOf((_messages, { signal }) => gate.deltas(["one", "two", "three"], signal));
    const events = recordEvents(jarvis.bus);
    gate.release();
    for await (const piece of jarvis.askStream("count")) {
      expect(piece).toBe("one");
      break;
    }
    expect(events.of("INFERENCE_END")[0]?.data.finishReason).toBe("error");
    expect(events.of("AGENT_TURN_END")).toHaveLength(1);
    events.assertBalanced();
  });

  it("works while a piece is being waited for", async () => {
    const jarvis = jarvisOf(() => ({ hang: true }));
    const stream = jarvis.askStream("hi");
    const waiting = stream.next();
    await new Promise((done) => setTimeout(done, 10));
    expect(await stream.return?.()).toEqual({ done: true, value: undefined });
    expect(await waiting).toEqual({ done: true, value: undefined });
  });
});

describe("a streamed ask that fails", () => {
  it("gives what there was, then the error once", async () => {
    const { JarvisError } = await import("@openjarvis/core");
    const error = new JarvisError("OJ_ENGINE_SERVER", "it broke");
    const jarvis = jarvisOf([{ text: "par", error }]);
    const stream = jarvis.askStream("hi");
    expect(await stream.next()).toEqual({ done: false, value: "par" });
    await expect(stream.next()).rejects.toBe(error);
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  it("rejects with OJ_ABORTED when its signal fires, before and on the way", async () => {
    const jarvis = jarvisOf(() => ({ text: "par", hang: true }));
    const controller = new AbortController();
    const stream = jarvis.askStream("hi", { signal: controller.signal });
    expect((await stream.next()).value).toBe("par");
    const next = stream.next();
    controller.abort();
    await expect(next).rejects.toMatchObject({ code: "OJ_ABORTED" });
    await expect(jarvis.askStream("hi", { signal: controller.signal }).next()).rejects.toMatchObject({
      code: "OJ_ABORTED",
    });
  });

  it("rejects for an unknown agent and a closed system", async () => {
    const jarvis = jarvisOf(() => "x");
    await expect(all(jarvis.askStream("hi", { agent: "nope" }))).rejects.toMatchObject({
      code: "OJ_AGENT_NOT_FOUND",
    });
    await jarvis.close();
    const error: unknown = await all(jarvis.askStream("hi")).catch((reason: unknown) => reason);
    expect(isJarvisError(error, "OJ_CLOSED")).toBe(true);
  });
});

describe("streamed asks at once", () => {
  it("get their own text only", async () => {
    const jarvis = jarvisOf(async (messages) => {
      await new Promise((done) => setTimeout(done, Math.random() * 5));
      return {
        deltas: [`<${messages.at(-1)?.content}`, ">"].map((text) => ({ type: "text", text }) as const),
      };
    });
    const questions = Array.from({ length: 20 }, (_, index) => `q${index}`);
    const answers = await Promise.all(
      questions.map(async (query) => (await all(jarvis.askStream(query))).join("")),
    );
    expect(answers).toEqual(questions.map((query) => `<${query}>`));
  });
});
