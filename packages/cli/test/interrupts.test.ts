import { describe, expect, it, vi } from "vitest";
import { Interrupts } from "../src/interrupts.js";
import { fakeIo } from "./helpers/fake-io.js";

describe("Interrupts", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ])("cancels on the first %s and ends the process with %d on the second", (signal, code) => {
    const { io, signals, exits } = fakeIo();
    const interrupts = new Interrupts(io);
    signals.emit(signal);
    expect(interrupts.signal.aborted).toBe(true);
    expect(interrupts.exitCode).toBe(code);
    expect(exits).toEqual([]);
    signals.emit(signal);
    expect(exits).toEqual([code]);
    interrupts.close();
  });

  it("ends the process when a cancelled command does not end by itself", () => {
    vi.useFakeTimers();
    try {
      const { io, signals, exits } = fakeIo();
      const interrupts = new Interrupts(io);
      signals.emit("SIGTERM");
      vi.advanceTimersByTime(60_000);
      expect(exits).toEqual([143]);
      interrupts.close();
    } finally {
      vi.useRealTimers();
    }
  });

  it("lets a Ctrl-C be taken by what runs", () => {
    const { io, signals } = fakeIo();
    const interrupts = new Interrupts(io);
    interrupts.onInterrupt = () => true;
    signals.emit("SIGINT");
    expect(interrupts.signal.aborted).toBe(false);
    signals.emit("SIGTERM");
    expect(interrupts.exitCode).toBe(143);
    interrupts.close();
  });

  it("leaves no listener behind", () => {
    const { io, signals } = fakeIo();
    new Interrupts(io).close();
    expect(signals.eventNames()).toEqual([]);
  });
});
