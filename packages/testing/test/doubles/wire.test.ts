import { request } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { type DoubleReply, startOllamaDouble, startOpenAIDouble } from "../../src/index.js";

interface Seen {
  status: number | undefined;
  chunks: Buffer[];
  /** How the response ended: properly, or with its connection. */
  end: "end" | "aborted" | "silent";
}

/** What one chat request to a double brings, chunk by chunk; silence is given up after a while. */
async function exchange(reply: DoubleReply, protocol: "ollama" | "openai" = "ollama"): Promise<Seen> {
  const double = await (protocol === "ollama" ? startOllamaDouble : startOpenAIDouble)({ replies: [reply] });
  onTestFinished(() => double[Symbol.asyncDispose]());
  const body = JSON.stringify({
    model: "test-model",
    stream: true,
    messages: [{ role: "user", content: "hi" }],
  });
  const path = protocol === "ollama" ? "/api/chat" : "/v1/chat/completions";
  return new Promise((resolve) => {
    const seen: Seen = { status: undefined, chunks: [], end: "silent" };
    const outgoing = request(`${double.url}${path}`, { method: "POST" }, (response) => {
      seen.status = response.statusCode;
      response.on("data", (chunk: Buffer) => seen.chunks.push(chunk));
      response.on("end", () => finish("end"));
      response.on("error", () => finish("aborted"));
    });
    const timer = setTimeout(() => finish("silent"), 400);
    const finish = (end: Seen["end"]): void => {
      clearTimeout(timer);
      outgoing.destroy();
      resolve({ ...seen, end });
    };
    outgoing.on("error", () => finish("aborted"));
    outgoing.end(body);
  });
}

function joined({ chunks }: Seen): string {
  return Buffer.concat(chunks).toString("utf8");
}

describe("the bytes of a reply", () => {
  const text = ["привет ", "🚀"];

  test("come one frame a chunk", async () => {
    const seen = await exchange({ text });
    expect(seen.chunks).toHaveLength(3);
    expect(seen.chunks.every((chunk) => chunk.toString("utf8").endsWith("}\n"))).toBe(true);
  });

  test("can be cut inside characters and lines without changing", async () => {
    const whole = await exchange({ text });
    const cut = await exchange({ text, faults: { chunking: 3 } });
    expect(joined(cut)).toBe(joined(whole));
    expect(cut.chunks.length).toBeGreaterThan(20);
    expect(cut.chunks.some((chunk) => chunk.toString("utf8").includes("\ufffd"))).toBe(true);
  });

  test("can be joined", async () => {
    expect((await exchange({ text, faults: { chunking: "joined" } })).chunks).toHaveLength(1);
    expect((await exchange({ text, faults: { chunking: "pairs" } })).chunks).toHaveLength(2);
  });

  test("can lack the last newline", async () => {
    expect(joined(await exchange({ text, faults: { lastNewline: false } })).endsWith("}")).toBe(true);
    expect(
      joined(await exchange({ text, faults: { lastNewline: false } }, "openai")).endsWith("data: [DONE]"),
    ).toBe(true);
  });

  test("can be given as they are", async () => {
    expect(joined(await exchange({ body: "<html>" }))).toBe("<html>");
    expect(joined(await exchange({ frames: [{ a: 1 }, null] }))).toBe('{"a":1}\nnull\n');
    expect(joined(await exchange({ frames: [{ a: 1 }], doneMarker: false }, "openai"))).toBe(
      'data: {"a":1}\n\n',
    );
  });

  test("can hold an error behind the text", async () => {
    expect(joined(await exchange({ text: "a", streamError: "boom" }))).toMatch(
      /"a".*\n\{"error":"boom"\}\n$/,
    );
    expect(joined(await exchange({ text: "a", streamError: "boom" }, "openai"))).toMatch(
      /"message":"boom"[^\n]*\n\n$/,
    );
  });
});

describe.each(["ollama", "openai"] as const)("the end of a reply of %s", (protocol) => {
  test("is proper", async () => {
    expect(await exchange({ text: ["a", "b"] }, protocol)).toMatchObject({ status: 200, end: "end" });
  });

  test.each([0, 1, 2])("can be a connection that is cut after %i frames", async (closeAfter) => {
    const seen = await exchange({ text: ["<1>", "<2>", "<3>"], faults: { closeAfter } }, protocol);
    expect(seen.end).toBe("aborted");
    expect(joined(seen).match(/<\d>/g) ?? []).toHaveLength(closeAfter);
  });

  test.each([0, 1, 2])("can come too early after %i frames", async (endAfter) => {
    const seen = await exchange({ text: ["<1>", "<2>", "<3>"], faults: { endAfter } }, protocol);
    expect(seen.end).toBe("end");
    expect(joined(seen).match(/<\d>/g) ?? []).toHaveLength(endAfter);
  });

  test.each([0, 1, 2])("can be silence after %i frames", async (stall) => {
    const seen = await exchange({ text: ["<1>", "<2>", "<3>"], faults: { stall } }, protocol);
    expect(seen).toMatchObject({ status: 200, end: "silent" });
    expect(joined(seen).match(/<\d>/g) ?? []).toHaveLength(stall);
  });

  test("can be silence from the start, or a connection left open", async () => {
    expect(await exchange({ faults: { stall: "headers" } }, protocol)).toMatchObject({
      status: undefined,
      end: "silent",
    });
    const open = await exchange({ text: "<1>", faults: { keepOpen: true } }, protocol);
    expect(open.end).toBe("silent");
    expect(joined(open)).toMatch(protocol === "ollama" ? /"done":true/ : /\[DONE\]/);
  });

  test("waits where it is told to", async () => {
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const waited: number[] = [];
    const waitBefore = (frame: number): Promise<void> | undefined => {
      waited.push(frame);
      if (frame === 1) setTimeout(open, 20);
      return frame === 1 ? gate : undefined;
    };
    const seen = await exchange({ text: ["<1>", "<2>"], faults: { waitBefore } }, protocol);
    expect(seen.end).toBe("end");
    expect(waited.slice(0, 3)).toEqual([0, 1, 2]);
  });
});

describe("failures", () => {
  test.each([
    ["unauthorized", 401],
    ["forbidden", 403],
    ["model_missing", 404],
    ["rate_limited", 429],
    ["bad_request", 400],
    ["tools_unsupported", 400],
    ["context_length", 400],
    ["server_error", 500],
    ["overloaded", 503],
  ] as const)("%s has status %i and a body of the protocol", async (error, status) => {
    const ollama = await exchange({ error });
    expect(ollama.status).toBe(status);
    expect(JSON.parse(joined(ollama))).toEqual({ error: expect.any(String) });
    const openai = await exchange({ error }, "openai");
    expect(openai.status).toBe(status);
    expect(JSON.parse(joined(openai))).toMatchObject({
      error: { message: expect.any(String), type: expect.any(String) },
    });
  });

  test("can be spelled out", async () => {
    const seen = await exchange({ error: { status: 418, body: "teapot" } });
    expect([seen.status, joined(seen)]).toEqual([418, "teapot"]);
  });
});
