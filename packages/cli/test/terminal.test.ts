import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { Terminal } from "../src/terminal.js";
import { fakeIo } from "./helpers/fake-io.js";

const esc = String.fromCharCode(27);

describe("Terminal", () => {
  it("passes results on as they are where no terminal shows them", async () => {
    const fake = fakeIo();
    const terminal = new Terminal(fake.io);
    terminal.print(`${esc}[31mred\r`);
    await terminal.flush();
    expect(fake.stdout()).toBe(`${esc}[31mred\r\n`);
  });

  it("removes control characters on a terminal, also when pieces cut them in two", async () => {
    const fake = fakeIo({ tty: true });
    const terminal = new Terminal(fake.io);
    for (const piece of [`a${esc}`, "[2", "Jb", "\r"]) terminal.out(piece);
    terminal.endOut();
    await terminal.flush();
    expect(fake.stdout()).toBe("ab\n");
  });

  it("removes control characters from every message", async () => {
    const fake = fakeIo();
    const terminal = new Terminal(fake.io);
    terminal.note(`${esc}]0;x${String.fromCharCode(7)}message`);
    await terminal.flush();
    expect(fake.stderr()).toBe("message\n");
  });

  it("ends a result with exactly one line break", async () => {
    const fake = fakeIo();
    const terminal = new Terminal(fake.io);
    terminal.print("a\n");
    terminal.print("b");
    await terminal.flush();
    expect(fake.stdout()).toBe("a\nb\n");
  });

  it("starts a message on a line of its own when a result is unfinished on the same terminal", async () => {
    const fake = fakeIo({ tty: true, env: { NO_COLOR: "1" } });
    const terminal = new Terminal(fake.io);
    terminal.out("partial");
    terminal.note("warning");
    terminal.out("rest");
    await terminal.flush();
    expect(fake.stdout()).toBe("partial\nrest");
    expect(fake.stderr()).toBe("warning\n");
  });

  it.each([
    [{ tty: true }, true],
    [{ tty: false }, false],
    [{ tty: true, env: { NO_COLOR: "1" } }, false],
    [{ tty: true, env: { NO_COLOR: "" } }, true],
    [{ tty: true, env: { TERM: "dumb" } }, false],
    [{ tty: false, env: { FORCE_COLOR: "1" } }, true],
    [{ tty: true, env: { FORCE_COLOR: "0" } }, false],
  ])("colours with %j: %s", (options, coloured) => {
    const terminal = new Terminal(fakeIo(options).io);
    expect(terminal.style("red", "x") !== "x").toBe(coloured);
  });

  it("stops quietly when nobody reads any more, and says so once", async () => {
    const fake = fakeIo();
    const stdout = new Writable({
      write(_chunk, _encoding, done) {
        done(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
      },
    });
    const terminal = new Terminal({ ...fake.io, stdout });
    let closed = 0;
    terminal.onClosed = () => {
      closed += 1;
    };
    terminal.print("a");
    await terminal.flush();
    terminal.print("b");
    await terminal.flush();
    expect(closed).toBe(1);
    expect(terminal.closed).toBe(true);
    expect(terminal.failure).toBeUndefined();
  });

  it("tells a full disk from a reader that went away", async () => {
    const stdout = new Writable({
      write(_chunk, _encoding, done) {
        done(Object.assign(new Error("write ENOSPC"), { code: "ENOSPC" }));
      },
    });
    const terminal = new Terminal({ ...fakeIo().io, stdout });
    terminal.print("a");
    await terminal.flush();
    expect(terminal.failure?.message).toContain("ENOSPC");
  });

  it("has everything out when flush resolves", async () => {
    const received: number[] = [];
    const stdout = new Writable({
      write(chunk: Buffer, _encoding, done) {
        setTimeout(() => {
          received.push(chunk.length);
          done();
        }, 5);
      },
    });
    const terminal = new Terminal({ ...fakeIo().io, stdout });
    for (let index = 0; index < 10; index += 1) terminal.print("x".repeat(999));
    await terminal.flush();
    expect(received.reduce((sum, length) => sum + length, 0)).toBe(10_000);
  });
});
