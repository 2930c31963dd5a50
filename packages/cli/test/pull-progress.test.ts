import { describe, expect, it } from "vitest";
import { PullProgress } from "../src/pull-progress.js";
import { Terminal } from "../src/terminal.js";
import { fakeIo } from "./helpers/fake-io.js";

const steps = Array.from({ length: 101 }, (_, percent) => ({
  completed: percent * 1e7,
  total: 1e9,
  status: "pulling abc",
}));

async function show(options: { tty: boolean; columns?: number; msPerStep: number }): Promise<string> {
  const fake = fakeIo(options);
  const terminal = new Terminal(fake.io);
  let now = 0;
  const progress = new PullProgress(terminal, "model", () => now);
  for (const step of steps) {
    progress.show(step);
    now += options.msPerStep;
  }
  progress.end();
  await terminal.flush();
  return fake.stderr();
}

describe("PullProgress", () => {
  it("draws one line over and over on a terminal", async () => {
    const text = await show({ tty: true, msPerStep: 200 });
    expect(text.split("\n")).toHaveLength(2);
    expect(text).toContain("[===============               ] 50% of 1.0 GB  pulling abc");
    expect(text).toMatch(/\[=+\] 100% of 1\.0 GB/);
  });

  it("never draws more than a line of the terminal", async () => {
    for (const columns of [20, 30, 40, 60]) {
      const text = await show({ tty: true, columns, msPerStep: 200 });
      const escapes = new RegExp(`${String.fromCharCode(27)}\\[K`, "g");
      for (const drawn of text.replace(escapes, "").split(/[\r\n]/))
        expect(drawn.length).toBeLessThan(columns);
    }
  });

  it("does not draw more often than anybody can see", async () => {
    const text = await show({ tty: true, msPerStep: 1 });
    expect(text.split("\r").length).toBeLessThan(5);
  });

  it("writes a line now and then where there is no terminal", async () => {
    const lines = (await show({ tty: false, msPerStep: 1_000 })).trim().split("\n");
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.length).toBeLessThan(30);
    expect(lines[0]).toMatch(/0% of 1\.0 GB/);
  });
});
