import { fstatSync } from "node:fs";
import { errorText, JarvisError } from "@openjarvis/core";
import { usageError } from "./failure.js";
import type { CliIo } from "./io.js";

/** The most that is read from standard input. */
const maxInputBytes = 256 * 1024 * 1024;

const noticeAfterMs = 3_000;

/** Options of {@link readStandardInput}. */
export interface StandardInputOptions {
  /**
   * Whether the text must come from there. Otherwise a program that started us with an open channel and has written
   * nothing into it by the time of `ready` (the habit of Node's `execFile`) counts as no input.
   */
  required: boolean;
  /** When the text is needed. */
  ready: Promise<unknown>;
  signal: AbortSignal;
  /** Called once when nothing has come for a while. */
  onWaiting: () => void;
  /** Called once when text comes that was not waited for. */
  onLate: () => void;
}

/**
 * The text on standard input, without its final line break; empty when standard input is a terminal, closed or empty.
 *
 * Throws `OJ_USAGE` for text that is not UTF-8 or longer than 256 MB.
 */
export async function readStandardInput(io: CliIo, options: StandardInputOptions): Promise<string> {
  const kind = inputKind(io);
  if (kind === "none") return "";
  const bytes = await readAll(io, options, kind === "socket" && !options.required);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).replace(/\r?\n$/, "");
  } catch {
    throw usageError("Standard input is not UTF-8 text.", "Convert it first, for example with iconv.");
  }
}

function inputKind(io: CliIo): "none" | "socket" | "other" {
  if (io.stdinFd === undefined) return io.stdin.isTTY === true ? "none" : "other";
  try {
    const stat = fstatSync(io.stdinFd);
    // A terminal, /dev/null or another device.
    if (stat.isCharacterDevice()) return "none";
    return stat.isSocket() ? "socket" : "other";
  } catch {
    // Standard input is closed.
    return "none";
  }
}

function readAll(io: CliIo, options: StandardInputOptions, mayBeUnused: boolean): Promise<Buffer> {
  const { stdin } = io;
  const { signal } = options;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const notice = setTimeout(options.onWaiting, noticeAfterMs);
    const stop = () => {
      clearTimeout(notice);
      stdin.off("data", onData);
      stdin.off("end", onEnd);
      stdin.off("error", onError);
      signal.removeEventListener("abort", onAbort);
    };
    const onData = (chunk: Buffer | string) => {
      clearTimeout(notice);
      const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      size += bytes.length;
      if (size > maxInputBytes) {
        stop();
        letGo(io);
        const hint = "Ask about a part of it, or give an agent that reads files the file's path.";
        reject(usageError("Standard input is longer than 256 MB.", hint));
        return;
      }
      chunks.push(bytes);
    };
    const onEnd = () => {
      stop();
      resolve(Buffer.concat(chunks));
    };
    const onAbort = () => {
      letGo(io);
      onEnd();
    };
    const onError = (error: Error) => {
      stop();
      reject(
        new JarvisError("OJ_USAGE", `Standard input cannot be read: ${errorText(error)}`, { cause: error }),
      );
    };
    const giveUpWhenUnused = async () => {
      await options.ready;
      // What had arrived by now is delivered in the poll phase before this.
      await new Promise((later) => setTimeout(later, 5));
      if (size > 0 || signal.aborted) return;
      stop();
      watchForLateText(io, options.onLate);
      resolve(Buffer.alloc(0));
    };
    stdin.on("data", onData);
    stdin.on("end", onEnd);
    stdin.on("error", onError);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    else if (mayBeUnused) giveUpWhenUnused().catch(reject);
  });
}

/** Does not keep the process alive. */
function watchForLateText(io: CliIo, onLate: () => void): void {
  io.stdin.once("data", () => {
    io.stdin.pause();
    onLate();
  });
  io.stdin.on("error", () => {});
  unref(io);
}

/** Stops reading and lets the process end although the other side keeps the channel open. */
function letGo(io: CliIo): void {
  io.stdin.pause();
  unref(io);
}

function unref({ stdin }: CliIo): void {
  (stdin as { unref?: () => void }).unref?.();
}
