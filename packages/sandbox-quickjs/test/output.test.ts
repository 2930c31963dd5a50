import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CellBoard } from "../src/cell-board.js";
import { readOutput } from "../src/output.js";

describe("captured output", () => {
  it("is what was written, or its head and tail with the right count between them", () => {
    const write = fc.record({
      stream: fc.constantFrom("stdout" as const, "stderr" as const),
      text: fc.string({ unit: fc.constantFrom("a", "b", "é", "😀", "\n"), maxLength: 80 }),
    });
    fc.assert(
      fc.property(fc.array(write, { maxLength: 40 }), fc.integer({ min: 100, max: 400 }), (writes, limit) => {
        const board = new CellBoard(limit);
        board.clear();
        // The worker opens the same memory.
        const worker = new CellBoard(limit, board.memory);
        const whole = { stdout: "", stderr: "" };
        for (const { stream, text } of writes) {
          worker.write(stream, text);
          whole[stream] += text;
        }
        const output = readOutput(board);
        expect(output.truncated).toBe(whole.stdout.length + whole.stderr.length > limit);
        expect(output.stdout.length + output.stderr.length).toBeLessThanOrEqual(limit);
        for (const stream of ["stdout", "stderr"] as const) {
          const shown = output[stream];
          if (shown === whole[stream]) continue;
          expect(output.truncated).toBe(true);
          expect(shown.isWellFormed()).toBe(true);
          const [head = "", tail] = shown.split(/\n\[… \d+ characters left out …\]\n/);
          expect(whole[stream].startsWith(head)).toBe(true);
          if (tail === undefined) continue;
          expect(whole[stream].endsWith(tail)).toBe(true);
          const left = Number(/\[… (\d+) characters/.exec(shown)?.[1]);
          expect(head.length + left + tail.length).toBe(whole[stream].length);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("counts what was skipped before it was handed over", () => {
    const board = new CellBoard(100);
    board.clear();
    board.write("stdout", "h".repeat(100), 1_000_000, "t".repeat(100));
    const { stdout } = readOutput(board);
    expect(board.total("stdout")).toBe(1_000_200);
    expect(stdout).toMatch(/^h+\n\[… \d+ characters left out …\]\nt+$/);
    expect(stdout.length).toBeLessThanOrEqual(100);
  });

  it("begins anew with the next cell", () => {
    const board = new CellBoard(100);
    board.clear();
    board.write("stdout", "first");
    board.requestStop("cancelled");
    board.clear();
    expect(readOutput(board)).toEqual({ stdout: "", stderr: "", truncated: false });
    expect(board.requestedStop).toBeUndefined();
  });
});

describe("the request to stop", () => {
  it("is the first one", () => {
    const board = new CellBoard(100);
    board.clear();
    expect(board.requestedStop).toBeUndefined();
    board.requestStop("total");
    board.requestStop("cancelled");
    expect(new CellBoard(100, board.memory).requestedStop).toBe("total");
  });
});

describe("computing time", () => {
  it("runs on while the guest computes, and stands while it waits", () => {
    const board = new CellBoard(100);
    board.clear();
    expect(board.computed(50)).toEqual({ ms: 50, running: true });
    board.enter(10, 0);
    expect(board.computed(60)).toEqual({ ms: 50, running: true });
    board.leave(20);
    expect(board.computed(500)).toEqual({ ms: 20, running: false });
    board.enter(500, 20);
    expect(board.computed(530)).toEqual({ ms: 50, running: true });
  });
});
