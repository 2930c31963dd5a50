import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitOutput, StreamText } from "../src/output.js";
import { OutputSink } from "../src/runner/output-sink.js";

/** A stream that went through a sink and over the wire, as that of a cell does. */
function stream(pieces: readonly string[], limit: number): StreamText {
  const text = new StreamText(limit);
  const sink = new OutputSink((piece) => text.add(Buffer.from(piece, "utf8")));
  sink.begin(limit);
  for (const piece of pieces) sink.write(piece);
  text.finish(JSON.parse(JSON.stringify(sink.finish())));
  return text;
}

const piece = fc.oneof(
  fc.string({ unit: "binary", maxLength: 80 }),
  fc.constantFrom("é".repeat(700), "😀".repeat(500), "\n"),
);
const limit = fc.integer({ min: 100, max: 2_000 });
const unpaired = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

describe("captured output", () => {
  it("is whole within the limit, else a head and a tail with a mark, never longer and with no broken character", () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.array(piece, { maxLength: 12 }),
        limit,
        (out, err, max) => {
          const texts = [out.join(""), err.join("")] as const;
          const output = fitOutput(stream(out, max), stream(err, max), max);
          expect(output.stdout.length + output.stderr.length).toBeLessThanOrEqual(max);
          expect(output.truncated).toBe(texts[0].length + texts[1].length > max);
          for (const [index, shown] of [output.stdout, output.stderr].entries()) {
            const whole = texts[index] ?? "";
            expect(shown).not.toMatch(unpaired);
            if (shown === whole) continue;
            expect(output.truncated).toBe(true);
            const [head = "", tail = "", more] = shown.split(/\n\[… \d+ characters left out …\]\n/);
            expect(more).toBeUndefined();
            expect(whole.startsWith(head)).toBe(true);
            expect(whole.endsWith(tail)).toBe(true);
            const missing = /\n\[… (\d+) characters left out …\]\n/.exec(shown)?.[1];
            if (missing !== undefined) expect(head.length + Number(missing) + tail.length).toBe(whole.length);
          }
        },
      ),
    );
  });

  it("of a cell that was killed is the head that had come", () => {
    const text = new StreamText(100);
    text.add(Buffer.from("before the end\n"));
    expect(fitOutput(text, new StreamText(100), 100)).toEqual({
      stdout: "before the end\n",
      stderr: "",
      truncated: false,
    });
  });

  it("does not grow with what an interpreter sends that keeps no limit", () => {
    const text = new StreamText(100);
    for (let round = 0; round < 1_000; round += 1) text.add(Buffer.from("x".repeat(1_000)));
    expect(text.total).toBe(100);
  });

  it("is held by the sink within twice the limit, whatever is written", () => {
    const sent: string[] = [];
    const sink = new OutputSink((text) => sent.push(text));
    sink.begin(1_000);
    for (let round = 0; round < 5_000; round += 1) sink.write("0123456789".repeat(20));
    const { total, tail } = sink.finish();
    expect(total).toBe(1_000_000);
    expect(sent.join("").length).toBe(700);
    expect(tail.length).toBe(1_000);
  });
});
