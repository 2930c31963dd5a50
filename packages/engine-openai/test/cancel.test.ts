import { isJarvisError } from "@openjarvis/core";
import { describe, expect, test } from "vitest";
import { OpenAIEngine } from "../src/index.js";
import { ask, chatBodies, hello, setUp } from "./support/setup.js";

describe("cancelling", () => {
  test("before the call sends nothing", async () => {
    const { server, engine } = await setUp();
    await expect(ask(engine, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "OJ_ABORTED" });
    await expect(engine.listModels({ signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "OJ_ABORTED",
    });
    expect(server.requests).toEqual([]);
  });

  test.each([
    { when: "while the server has not answered", faults: { stall: "headers" as const } },
    { when: "between the headers and the first word", faults: { stall: 0 } },
    { when: "in the middle of the answer", faults: { stall: 2 } },
  ])("$when settles at once and closes the connection", async ({ faults }) => {
    const { server, engine } = await setUp(
      { replies: [{ text: ["a", "b", "c"], faults }] },
      { maxRetries: 3 },
    );
    const controller = new AbortController();
    const outcome = ask(engine, { signal: controller.signal }).catch((error: unknown) => error);
    while (chatBodies(server).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort(new Error("enough"));
    const error = await outcome;
    expect(isJarvisError(error, "OJ_ABORTED") && error.cause).toBe(controller.signal.reason);
    expect(await server.requests[0]?.ended).toEqual({ cut: true });
    expect(chatBodies(server)).toHaveLength(1);
  });

  test("leaves other calls of the engine alone", async () => {
    const { engine } = await setUp({
      replies: [{ text: ["a", "b"], faults: { stall: 1 } }, { text: "fine" }],
    });
    const controller = new AbortController();
    const stream = engine.stream(hello, { model: "test-model", signal: controller.signal });
    expect((await stream.next()).value).toEqual({ type: "text", text: "a" });
    expect((await ask(engine)).content).toBe("fine");
    controller.abort();
    await expect(stream.next()).rejects.toMatchObject({ code: "OJ_ABORTED" });
  });

  test("by leaving the stream closes the connection", async () => {
    const { server, engine } = await setUp({ replies: [{ text: ["a", "b", "c"], faults: { stall: 2 } }] });
    for await (const delta of engine.stream(hello, { model: "test-model" })) {
      expect(delta).toEqual({ type: "text", text: "a" });
      break;
    }
    expect(await server.requests[0]?.ended).toEqual({ cut: true });
  });
});

test("each piece is passed on before the next one is sent", async () => {
  const gates = new Map<number, { open: () => void; opened: Promise<void> }>();
  for (const frame of [1, 2, 3]) {
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    gates.set(frame, { open, opened });
  }
  const { engine } = await setUp({
    replies: [{ text: ["a", "b", "c"], faults: { waitBefore: (frame) => gates.get(frame)?.opened } }],
  });
  const seen: string[] = [];
  for await (const delta of engine.stream(hello, { model: "test-model" })) {
    if (delta.type !== "text") continue;
    seen.push(delta.text);
    gates.get(seen.length)?.open();
  }
  expect(seen).toEqual(["a", "b", "c"]);
});

describe("silence", () => {
  test.each([
    { when: "before the headers", faults: { stall: "headers" as const } },
    { when: "in the middle", faults: { stall: 1 } },
  ])("$when ends with the seconds that were waited", async ({ faults }) => {
    const { server, engine } = await setUp(
      { replies: [{ text: ["a", "b"], faults }] },
      { timeoutSeconds: 0.3 },
    );
    await expect(ask(engine)).rejects.toMatchObject({
      code: "OJ_ENGINE_TIMEOUT",
      message: expect.stringMatching(/^No response from model test-model after 0\.3 s/),
    });
    expect(await server.requests[0]?.ended).toEqual({ cut: true });
  });

  test("is not what a slow but steady answer is", async () => {
    const { engine } = await setUp(
      { replies: [{ text: ["a", "b", "c", "d"], faults: { chunkDelayMs: 100 } }] },
      { timeoutSeconds: 0.4 },
    );
    expect((await ask(engine)).content).toBe("abcd");
  });
});

describe("close", () => {
  test("ends calls that are under way, and further calls say that the engine is closed", async () => {
    const { server, engine } = await setUp({ replies: [{ text: ["a", "b"], faults: { stall: 1 } }] });
    const answer = ask(engine).catch((error: unknown) => error);
    while (chatBodies(server).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await engine.close();
    await engine.close();
    expect(isJarvisError(await answer, "OJ_CLOSED")).toBe(true);
    await expect(ask(engine)).rejects.toMatchObject({ code: "OJ_CLOSED" });
    await expect.poll(() => server.connections.open).toBe(0);
  });

  test("before any call is fine", async () => {
    const engine = new OpenAIEngine({ engineId: "vllm" });
    await engine.close();
    await engine.close();
  });
});

test("connections are used again, also when the server leaves them open behind [DONE]", async () => {
  const { server, engine } = await setUp({
    replies: Array.from({ length: 6 }, () => ({ text: ["a", "b"] })),
  });
  for (let i = 0; i < 6; i += 1) {
    await ask(engine);
    await server.requests.at(-1)?.ended;
  }
  expect(server.connections.accepted).toBe(1);
});
