import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeFrame, FrameDecoder } from "../src/frames.js";

const frame = fc.record({
  head: fc.dictionary(fc.string(), fc.jsonValue()).map((head) => JSON.parse(JSON.stringify(head)) as object),
  body: fc.uint8Array({ maxLength: 300 }),
});

/** Cuts bytes at the given places. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  const starts = [0, ...ends];
  return starts.map((start, index) => bytes.subarray(start, starts[index + 1] ?? bytes.length));
}

describe("frames", () => {
  it("come out as they went in, however the bytes are cut", () => {
    fc.assert(
      fc.property(
        fc.array(frame, { maxLength: 5 }),
        fc.array(fc.nat(), { maxLength: 20 }),
        (frames, places) => {
          const bytes = Buffer.concat(frames.flatMap(({ head, body }) => encodeFrame(head, body)));
          const decoder = new FrameDecoder({ maxBodyBytes: 1_000 });
          const decoded = cut(bytes, places).flatMap((chunk) => decoder.push(chunk));
          expect(decoded.map(({ head, body }) => [head, [...body]])).toEqual(
            frames.map(({ head, body }) => [head, [...body]]),
          );
        },
      ),
    );
  });

  it("never throw anything but an error for bytes of a stranger, and hold no more than one frame", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 100 })), (chunks) => {
        const decoder = new FrameDecoder({ maxBodyBytes: 50 });
        try {
          for (const chunk of chunks) decoder.push(Buffer.from(chunk));
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
    );
  });

  it("are refused at their first bytes when they are too long", () => {
    const [start = Buffer.alloc(0)] = encodeFrame({ type: "x" }, Buffer.alloc(101));
    expect(() => new FrameDecoder({ maxBodyBytes: 100 }).push(start)).toThrow("a body of 101 bytes");
    const prefix = Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);
    expect(() => new FrameDecoder({ maxBodyBytes: 100 }).push(prefix)).toThrow("a head of 4294967295 bytes");
  });

  it.each(["[1]", "null", "1", "{", ""])("are refused when their head is %s", (head) => {
    const bytes = Buffer.from(head);
    const prefix = Buffer.alloc(8);
    prefix.writeUInt32BE(bytes.length);
    expect(() => new FrameDecoder({ maxBodyBytes: 1 }).push(Buffer.concat([prefix, bytes]))).toThrow(Error);
  });
});
