import { readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { describe, expect, expectTypeOf, it } from "vitest";
import { type Cli, type CliOptions, createCli } from "../src/index.js";
import { fakeIo } from "./helpers/fake-io.js";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};

describe("createCli", () => {
  it("takes its version from the package it is in, unless one is given", async () => {
    for (const [options, expected] of [
      [{}, version],
      [{ version: "7.7.7" }, "7.7.7"],
    ] as const) {
      const fake = fakeIo();
      expect(await createCli({ root: import.meta.url, ...options }).run(["--version"], fake.io)).toBe(0);
      expect(fake.stdout()).toBe(`${expected}\n`);
    }
  });

  it("shows its own name in help and messages", async () => {
    const cli = createCli({ root: import.meta.url, name: "desk" });
    const help = fakeIo();
    await cli.run(["--help"], help.io);
    expect(help.stdout()).toMatch(/^Usage: desk /);
    const usage = fakeIo();
    expect(await cli.run(["ask", "--nothing"], usage.io)).toBe(2);
    expect(usage.stderr()).toContain('"desk ask --help"');
  });

  it("fits its overview into eighty columns", async () => {
    const fake = fakeIo();
    await createCli({ root: import.meta.url }).run([], fake.io);
    for (const line of fake.stdout().split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("never takes the signals of the program it is part of", async () => {
    const listeners: string[] = [];
    const note = (event: string | symbol) => listeners.push(String(event));
    process.on("newListener", note);
    const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
    expect(await createCli({ root: import.meta.url }).run(["ask", "--nothing"], streams)).toBe(2);
    process.off("newListener", note);
    expect(listeners).toEqual([]);
  });

  it("can run again and again with the same streams", async () => {
    const fake = fakeIo();
    const cli = createCli({ root: import.meta.url });
    for (let index = 0; index < 20; index += 1) await cli.run(["config", "path"], fake.io);
    expect(fake.stdout().trim().split("\n")).toHaveLength(20);
  });

  it("is typed", () => {
    expectTypeOf(createCli).parameters.toEqualTypeOf<[CliOptions]>();
    expectTypeOf<CliOptions>().toHaveProperty("root").toEqualTypeOf<string>();
    expectTypeOf<ReturnType<Cli["run"]>>().toEqualTypeOf<Promise<number>>();
  });
});
