import type { Buffer } from "node:buffer";
import type { PyodideAPI } from "pyodide";
import type { Frame } from "../frames.js";
import type { StreamName } from "../protocol.js";
import type { Channel } from "./channel.js";
import { outcomeOf } from "./failure.js";
import type { Interrupts } from "./interrupts.js";
import type { MemoryCap } from "./memory-cap.js";
import { OutputSink } from "./output-sink.js";
import {
  type Body,
  type BridgeFunctions,
  boundStack,
  type PythonSession,
  type WasmModule,
} from "./python.js";
import { Watchdog } from "./watchdog.js";

/** Bodies that are longer cross to Python as bytes. */
const longBody = 256 * 1024;
/** Milliseconds a report about a cell has before it is interrupted, too. */
const reportMs = 250;
/** Milliseconds Python has to raise what `wait` has told it, before it is interrupted as well. */
const raiseMs = 100;

/** What an {@link Interpreter} works with. */
export interface InterpreterParts {
  channel: Channel;
  interrupts: Interrupts;
  cap: MemoryCap;
  /** Ends the process. */
  exit: () => never;
  module: WasmModule;
}

/** Carries out what the host asks, one request after the other, and stands between Python and the channel. */
export class Interpreter {
  readonly bridge: BridgeFunctions;
  readonly #parts: InterpreterParts;
  readonly #baseline: number;
  readonly #sinks: Record<StreamName, OutputSink>;
  /** What arrived for Python. */
  #arrived: [number, string, Body][] = [];
  #session: PythonSession | undefined;
  readonly #watchdog = new Watchdog();

  constructor(parts: InterpreterParts) {
    this.#parts = parts;
    this.#baseline = parts.module.memory.buffer.byteLength;
    const sinkOf = (stream: StreamName) =>
      new OutputSink((text) => parts.channel.write({ type: "output", stream }, text));
    this.#sinks = { stdout: sinkOf("stdout"), stderr: sinkOf("stderr") };
    this.bridge = {
      write: (stream, text, skipped, tail) =>
        this.#sinks[stream === 2 ? "stderr" : "stdout"].write(text, skipped, tail),
      call: (call, name, args) => parts.channel.write({ type: "call", call, name }, args),
      wait: (milliseconds) => this.#wait(milliseconds),
      take: () => this.#arrived.shift(),
      arm: (armed, report = false) => {
        if (report) parts.interrupts.pause(reportMs);
        parts.interrupts.armed = armed;
        parts.cap.armed = armed;
      },
    };
  }

  /** Takes the interpreter into service. */
  attach(pyodide: PyodideAPI, session: PythonSession): void {
    const { interrupts } = this.#parts;
    const { stdout, stderr } = this.#sinks;
    this.#session = session;
    interrupts.onPoll = () => {
      stdout.flush();
      stderr.flush();
    };
    const buffer = Object.defineProperty({}, 0, { get: () => interrupts.signal, set: () => undefined });
    pyodide.setInterruptBuffer(buffer as Uint8Array);
    // What does not go through sys.stdout: os.write, the C library, the interpreter's last words.
    const capture = (stream: StreamName) => {
      const decoder = new TextDecoder();
      return {
        write: (bytes: Uint8Array) => {
          this.#sinks[stream].write(decoder.decode(bytes, { stream: true }));
          return bytes.length;
        },
      };
    };
    pyodide.setStdin({ stdin: () => null });
    pyodide.setStdout(capture("stdout"));
    pyodide.setStderr(capture("stderr"));
  }

  /** Takes no more output: what comes now is the runtime's own dump of its stack. */
  mute(): void {
    this.#sinks.stdout.mute();
    this.#sinks.stderr.mute();
  }

  /** Carries out one request. Throws when the interpreter is broken. */
  handle(frame: Frame): void {
    const { channel, cap } = this.#parts;
    const session = this.#session;
    const { type, id } = frame.head;
    if (session === undefined || typeof id !== "number") return;
    const body = bodyOf(frame.body);
    try {
      switch (type) {
        case "open":
          boundStack(this.#parts.module, Number(frame.head.stackBytes));
          session.open(JSON.stringify(frame.head.functions));
          break;
        case "set":
          cap.limitBytes = this.#baseline + Number(frame.head.memoryBytes);
          cap.armed = true;
          session.set(String(frame.head.name), String(frame.head.kind), body);
          break;
        case "reset":
          session.reset();
          break;
        case "cell":
          channel.write({ type: "done", id }, this.#run(session, { id, body, head: frame.head }));
          return;
        default:
          // Replies and ticks that come after their cell are of no use any more.
          return;
      }
      channel.write({ type: "done", id });
    } catch (error) {
      const outcome = outcomeOf(error);
      if (outcome === undefined) throw error;
      channel.write({ type: "done", id, problem: outcome.error?.name ?? "" });
    } finally {
      cap.armed = false;
    }
  }

  #run(session: PythonSession, cell: { id: number; body: Body; head: Frame["head"] }): string {
    const { id, body, head } = cell;
    const { interrupts, cap } = this.#parts;
    const { stdout, stderr } = this.#sinks;
    const maxChars = Number(head.maxOutputChars);
    cap.limitBytes = this.#baseline + Number(head.memoryBytes);
    interrupts.begin(id);
    stdout.begin(maxChars);
    stderr.begin(maxChars);
    let outcome: string;
    try {
      outcome = this.#watchdog.run(() => session.run(body, maxChars), Number(head.patienceMs));
    } catch (error) {
      const canned = outcomeOf(error);
      if (canned === undefined) throw error;
      outcome = JSON.stringify(canned);
    } finally {
      interrupts.begin(0);
      this.bridge.arm(false);
      this.#arrived = [];
      stdout.flush();
      stderr.flush();
    }
    return `{"outcome":${outcome},"stdout":${JSON.stringify(stdout.finish())},"stderr":${JSON.stringify(stderr.finish())}}`;
  }

  /** Blocks until the host sends something. True when the cell has to stop. */
  #wait(milliseconds: number): boolean {
    const { channel, interrupts, exit } = this.#parts;
    this.#sinks.stdout.flush();
    this.#sinks.stderr.flush();
    interrupts.poll();
    if (!this.#mustStop) {
      channel.write({ type: "wait", milliseconds });
      do {
        const frame = channel.read();
        if (frame === undefined) return exit();
        if (frame.head.type === "reply") {
          this.#arrived.push([Number(frame.head.call), String(frame.head.status), bodyOf(frame.body)]);
        }
      } while (channel.ready);
      interrupts.poll();
    }
    if (this.#mustStop) interrupts.pause(raiseMs);
    return this.#mustStop;
  }

  get #mustStop(): boolean {
    const { armed, requested } = this.#parts.interrupts;
    return armed && requested;
  }
}

function bodyOf(body: Buffer): Body {
  return body.length > longBody ? new Uint8Array(body) : body.toString("utf8");
}
