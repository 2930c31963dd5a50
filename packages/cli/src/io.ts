import { EventEmitter } from "node:events";

/** A stream a command reads, as much of `process.stdin` as is used. */
export type InputStream = NodeJS.ReadableStream & {
  isTTY?: boolean;
  setRawMode?: (on: boolean) => unknown;
};

/** A stream a command writes, as much of `process.stdout` as is used. */
export type OutputStream = NodeJS.WritableStream & { isTTY?: boolean; columns?: number };

/** What a run of the command line has of the outside world. Tests and embedding programs bring their own parts. */
export interface CliIo {
  stdin: InputStream;
  /** The descriptor of standard input, which tells a terminal, a file and a channel apart without opening it. */
  stdinFd?: number;
  stdout: OutputStream;
  stderr: OutputStream;
  env: NodeJS.ProcessEnv;
  /** The folder relative paths are meant from. */
  cwd: string;
  /** Where `SIGINT`, `SIGTERM` and `SIGHUP` arrive. */
  signals: Pick<EventEmitter, "on" | "off">;
  /** Ends the process at once; only called when it does not end by itself. */
  exit: (code: number) => void;
}

/**
 * The parts of the running process, with the given ones in their place. A program that brings its own parts keeps its
 * signals, and is never ended, unless it says otherwise.
 */
export function completeIo(own?: Partial<CliIo>): CliIo {
  const embedded: Partial<CliIo> =
    own === undefined ? {} : { signals: new EventEmitter(), exit: () => {}, ...own };
  return {
    // Opening standard input costs time that most commands need not pay.
    get stdin() {
      return embedded.stdin ?? process.stdin;
    },
    ...(embedded.stdin === undefined ? { stdinFd: 0 } : {}),
    stdout: embedded.stdout ?? process.stdout,
    stderr: embedded.stderr ?? process.stderr,
    env: embedded.env ?? process.env,
    cwd: embedded.cwd ?? process.cwd(),
    signals: embedded.signals ?? process,
    exit: embedded.exit ?? ((code) => process.exit(code)),
  };
}
