import { type AddressInfo, createServer, type Socket } from "node:net";
import { isJarvisError } from "@openjarvis/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { OllamaEngine } from "../src/index.js";
import { ask, chatBodies, hello, setUp } from "./support/setup.js";

describe("cancelling", () => {
  test("before the call sends nothing", async () => {
    const { ollama, engine } = await setUp();
    await expect(ask(engine, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "OJ_ABORTED" });
    await expect(engine.listModels({ signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "OJ_ABORTED",
    });
    expect(ollama.requests).toEqual([]);
  });

  test.each([
    { when: "while the server has not answered", faults: { stall: "headers" as const } },
    { when: "between the headers and the first word", faults: { stall: 0 } },
    { when: "in the middle of the answer", faults: { stall: 2 } },
  ])("$when settles at once and closes the connection", async ({ faults }) => {
    const { ollama, engine } = await setUp({ replies: [{ text: ["a", "b", "c"], faults }] });
    await engine.capabilities("test-model");
    const controller = new AbortController();
    const answer = ask(engine, { signal: controller.signal });
    const outcome = answer.catch((error: unknown) => error);
    while (chatBodies(ollama).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort(new Error("enough"));
    const error = await outcome;
    expect(isJarvisError(error, "OJ_ABORTED") && error.cause).toBe(controller.signal.reason);
    expect(await ollama.requests.at(-1)?.ended).toEqual({ cut: true });
  });

  test("leaves other calls of the engine alone", async () => {
    const { engine } = await setUp({
      replies: [{ text: ["a", "b"], faults: { stall: 1 } }, { text: "fine" }],
    });
    const controller = new AbortController();
    const first = ask(engine, { signal: controller.signal }).catch((error: unknown) => error);
    await engine.capabilities("test-model");
    const second = ask(engine);
    expect((await second).content).toBe("fine");
    controller.abort();
    expect(isJarvisError(await first, "OJ_ABORTED")).toBe(true);
  });

  test("after the answer does nothing, and leaves no listener behind", async () => {
    const { engine } = await setUp({ replies: [{ text: "a" }] });
    const controller = new AbortController();
    let listening = 0;
    const { signal } = controller;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listening += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listening -= 1;
      remove(...args);
    };
    expect((await ask(engine, { signal })).content).toBe("a");
    await expect.poll(() => listening).toBe(0);
    controller.abort();
  });

  test("by leaving the stream closes the connection", async () => {
    const { ollama, engine } = await setUp({ replies: [{ text: ["a", "b", "c"], faults: { stall: 2 } }] });
    for await (const delta of engine.stream(hello, { model: "test-model" })) {
      expect(delta).toEqual({ type: "text", text: "a" });
      break;
    }
    expect(await ollama.requests.at(-1)?.ended).toEqual({ cut: true });
  });

  test("stops a download", async () => {
    const { ollama, engine } = await setUp({
      endpoints: {
        "/api/pull": { frames: [{ status: "pulling" }, { status: "success" }], faults: { stall: 1 } },
      },
    });
    const controller = new AbortController();
    const pull = engine.pullModel("big", { signal: controller.signal, onProgress: () => controller.abort() });
    await expect(pull).rejects.toMatchObject({ code: "OJ_ABORTED" });
    expect(await ollama.requests.at(-1)?.ended).toEqual({ cut: true });
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
    const { ollama, engine } = await setUp(
      { replies: [{ text: ["a", "b"], faults }] },
      { timeoutSeconds: 0.3 },
    );
    await expect(ask(engine)).rejects.toMatchObject({
      code: "OJ_ENGINE_TIMEOUT",
      message: expect.stringMatching(/^No response from model test-model after 0\.3 s/),
      details: { seconds: 0.3 },
    });
    expect(await ollama.requests.at(-1)?.ended).toEqual({ cut: true });
  });

  test("is not what a slow but steady answer is", async () => {
    const { engine } = await setUp(
      { replies: [{ text: ["a", "b", "c", "d", "e", "f"], faults: { chunkDelayMs: 100 } }] },
      { timeoutSeconds: 0.4 },
    );
    expect((await ask(engine)).content).toBe("abcdef");
  });

  test("of the reader is not the server's", async () => {
    const { engine } = await setUp({ replies: [{ text: ["a", "b"] }] }, { timeoutSeconds: 0.2 });
    const texts: string[] = [];
    for await (const delta of engine.stream(hello, { model: "test-model" })) {
      if (delta.type === "text") texts.push(delta.text);
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    expect(texts).toEqual(["a", "b"]);
  });

  test("of the server does not hold up its health", async () => {
    const { engine, ollama } = await setUp(
      { endpoints: { "/api/version": { faults: { stall: "headers" } } } },
      { healthTimeoutSeconds: 0.2 },
    );
    expect(await engine.health()).toEqual({
      ok: false,
      detail: `Ollama at ${ollama.url} did not answer within 0.2 s.`,
      address: ollama.url,
      code: "OJ_ENGINE_TIMEOUT",
    });
  });
});

describe("close", () => {
  test("ends calls that are under way, and further calls say that the engine is closed", async () => {
    const { ollama, engine } = await setUp({ replies: [{ text: ["a", "b"], faults: { stall: 1 } }] });
    const answer = ask(engine).catch((error: unknown) => error);
    while (chatBodies(ollama).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await engine.close();
    await engine.close();
    expect(isJarvisError(await answer, "OJ_CLOSED")).toBe(true);
    await expect(ask(engine)).rejects.toMatchObject({ code: "OJ_CLOSED" });
    await expect.poll(() => ollama.connections.open).toBe(0);
  });

  test("before any call is fine", async () => {
    const engine = new OllamaEngine({ host: "127.0.0.1:9" });
    await engine.close();
    await engine.close();
  });
});

describe("connections", () => {
  /** An engine that asks a server which does what it likes with its connections. */
  async function engineOf(onConnection: (socket: Socket) => void): Promise<OllamaEngine> {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      onConnection(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const engine = new OllamaEngine({ host: `127.0.0.1:${port}` });
    onTestFinished(async () => {
      await engine.close();
      server.close();
    });
    return engine;
  }

  test("are used again", async () => {
    const { ollama, engine } = await setUp({
      replies: Array.from({ length: 10 }, () => ({ text: ["a", "b"] })),
    });
    for (let i = 0; i < 10; i += 1) {
      await ask(engine);
      await ollama.requests.at(-1)?.ended;
    }
    expect(ollama.connections.accepted).toBe(1);
  });

  test("that the server closed while they were idle are replaced without a word", async () => {
    const version = '{"version":"1"}';
    const answer = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${version.length}\r\n\r\n${version}`;
    let connections = 0;
    const engine = await engineOf((socket) => {
      connections += 1;
      let requests = 0;
      socket.on("data", () => {
        requests += 1;
        if (requests === 1) socket.write(answer);
        else socket.resetAndDestroy();
      });
    });
    for (let i = 0; i < 3; i += 1)
      expect(await engine.health()).toMatchObject({ ok: true, detail: "Ollama 1" });
    expect(connections).toBe(3);
  });

  test("to something that does not speak HTTP are an error of the protocol", async () => {
    const engine = await engineOf((socket) => {
      socket.end("SSH-2.0-OpenSSH_9.2\r\n");
    });
    await expect(ask(engine)).rejects.toMatchObject({
      code: "OJ_ENGINE_PROTOCOL",
      message: expect.stringMatching(/does not speak HTTP/),
    });
  });

  test("that are closed without an answer are an error of the protocol", async () => {
    const engine = await engineOf((socket) => {
      socket.once("data", () => socket.end());
    });
    await expect(ask(engine)).rejects.toMatchObject({
      code: "OJ_ENGINE_PROTOCOL",
      message: expect.stringMatching(/closed the connection without an answer/),
    });
  });
});

test("a line without an end is not collected for ever", async () => {
  const { engine } = await setUp({ replies: [{ body: `{"message":{"content":"${"x".repeat(9 << 20)}` }] });
  await expect(ask(engine)).rejects.toMatchObject({
    code: "OJ_ENGINE_PROTOCOL",
    message: expect.stringMatching(/a line of more than 8 MiB/),
  });
});

test("a reader that is slower than the server gets everything", async () => {
  const pieces = Array.from({ length: 400 }, (_, i) => `${i} ${"x".repeat(10_000)}`);
  const { engine } = await setUp({ replies: [{ text: pieces }] });
  let text = "";
  let seen = 0;
  for await (const delta of engine.stream(hello, { model: "test-model" })) {
    if (delta.type === "text") text += delta.text;
    seen += 1;
    if (seen % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(text).toBe(pieces.join(""));
});
