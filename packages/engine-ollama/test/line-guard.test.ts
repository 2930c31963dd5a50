import fc from "fast-check";
import { expect, test } from "vitest";
import { LineGuard } from "../src/line-guard.js";

function linesOf(text: string, cuts: readonly number[]): number {
  const guard = new LineGuard("Ollama");
  const bytes = Buffer.from(text);
  const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  for (const [i, start] of edges.entries())
    guard.inspect(bytes.subarray(start, edges[i + 1] ?? bytes.length));
  return guard.lines;
}

test("counts lines wherever the bytes are cut, with or without a newline at the end", () => {
  const documents = fc.array(fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue()), {
    maxLength: 8,
  });
  const newline = fc.constantFrom("\n", "\r\n", "\n\n", " \n");
  fc.assert(
    fc.property(documents, newline, fc.boolean(), fc.array(fc.nat()), (values, end, last, cuts) => {
      const text = values.map((value) => JSON.stringify(value)).join(end) + (last ? end : "");
      expect(linesOf(text, cuts)).toBe(values.length);
    }),
  );
});

test.each(["hello\n", "[1]\n", '"a"\n', '{"a":1\n', "{}\n<html>", "null"])("refuses %j", (text) => {
  expect(() => linesOf(text, [])).toThrow(/not a JSON object/);
});
