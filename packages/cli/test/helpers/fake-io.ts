import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import type { CliIo } from "../../src/io.js";

/** Options of {@link fakeIo}. */
export interface FakeIoOptions {
  /** Whether all three streams are a terminal. */
  tty?: boolean;
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  columns?: number;
}

/** The parts of a process, in the hands of a test. */
export interface FakeIo {
  io: CliIo;
  stdin: PassThrough;
  /** What was written so far. */
  stdout(): string;
  stderr(): string;
  /** Codes the process would have been ended with. */
  exits: number[];
  signals: EventEmitter;
  /** Resolves when standard output and error together hold a text, or match a pattern. */
  seen(expected: string | RegExp): Promise<void>;
}

/** Streams and signals that no real process has. */
export function fakeIo({
  tty = false,
  env = {},
  cwd = process.cwd(),
  columns = 80,
}: FakeIoOptions = {}): FakeIo {
  const written = { stdout: "", stderr: "", all: "" };
  const waiting = new Set<() => void>();
  const collect = (name: "stdout" | "stderr") => {
    const stream = Object.assign(new PassThrough(), { isTTY: tty, columns });
    stream.setEncoding("utf8").on("data", (text: string) => {
      written[name] += text;
      written.all += text;
      for (const check of waiting) check();
    });
    return stream;
  };
  const stdin = Object.assign(new PassThrough(), { isTTY: tty, setRawMode: () => stdin });
  const signals = new EventEmitter();
  const exits: number[] = [];
  const io: CliIo = {
    stdin,
    stdout: collect("stdout"),
    stderr: collect("stderr"),
    env,
    cwd,
    signals,
    exit: (code) => exits.push(code),
  };
  return {
    io,
    stdin,
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    exits,
    signals,
    seen: (expected) =>
      new Promise((resolve) => {
        const check = () => {
          const found =
            typeof expected === "string" ? written.all.includes(expected) : expected.test(written.all);
          if (!found) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
  };
}
