import { describe, expect, it } from "vitest";
import { readStandardInput, type StandardInputOptions } from "../src/standard-input.js";
import { fakeIo } from "./helpers/fake-io.js";

function options(changes: Partial<StandardInputOptions> = {}): StandardInputOptions {
  return {
    required: false,
    ready: Promise.resolve(),
    signal: new AbortController().signal,
    onWaiting: () => {},
    onLate: () => {},
    ...changes,
  };
}

describe("readStandardInput", () => {
  it("reads to the end and drops the final line break", async () => {
    const { io, stdin } = fakeIo();
    const read = readStandardInput(io, options());
    stdin.write("a\nb");
    stdin.end("c\r\n");
    expect(await read).toBe("a\nbc");
  });

  it("puts characters together that arrive in parts, and drops a byte order mark", async () => {
    const { io, stdin } = fakeIo();
    const read = readStandardInput(io, options());
    const bytes = Buffer.from("\ufeff漢👍");
    for (const byte of bytes) stdin.write(Buffer.from([byte]));
    stdin.end();
    expect(await read).toBe("漢👍");
  });

  it("is empty at a terminal", async () => {
    expect(await readStandardInput(fakeIo({ tty: true }).io, options({ required: true }))).toBe("");
  });

  it("refuses what is not UTF-8", async () => {
    const { io, stdin } = fakeIo();
    const read = readStandardInput(io, options());
    stdin.end(Buffer.from([0xff, 0xfe, 0x41, 0x00]));
    await expect(read).rejects.toMatchObject({ code: "OJ_USAGE", message: expect.stringContaining("UTF-8") });
  });

  it("ends when it is cancelled", async () => {
    const { io, stdin } = fakeIo();
    const controller = new AbortController();
    const read = readStandardInput(io, options({ signal: controller.signal }));
    stdin.write("part");
    setImmediate(() => controller.abort());
    expect(await read).toBe("part");
  });
});
