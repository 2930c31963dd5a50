import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { errorText } from "@openjarvis/core";
import type { Command } from "./child-command.js";
import { encodeFrame, type Frame, FrameDecoder } from "./frames.js";
import { killAtExit } from "./kill-at-exit.js";
import {
  channelFd,
  controlFd,
  type FatalFrame,
  type HostFrame,
  maxInterpreterBodyBytes,
  type StreamName,
} from "./protocol.js";
import { readFatal, readId, readStream } from "./read-frame.js";
import { residentBytes } from "./resident-memory.js";

/** The process of an interpreter is gone. */
export class ProcessGoneError extends Error {
  override readonly name = "ProcessGoneError";
  /** What the interpreter said before it ended. */
  readonly fatal: FatalFrame | undefined;

  constructor(message: string, fatal: FatalFrame | undefined) {
    super(message);
    this.fatal = fatal;
  }
}

/** Who listens to a cell. */
export interface CellListener {
  onCall(call: number, name: string, args: Buffer): void;
  onWait(milliseconds: number): void;
  onOutput(stream: StreamName, piece: Buffer): void;
}

interface Pending {
  resolve(body: Buffer): void;
  reject(error: Error): void;
}

const maxStderrChars = 4_000;

/**
 * The process of an interpreter, as the host sees it. It is not trusted: whatever it sends is checked, and one wrong
 * frame ends it. It keeps this process alive only while it has something to do.
 */
export class PythonProcess {
  readonly #child: ChildProcess;
  readonly #channel: Socket;
  readonly #control: Socket;
  readonly #decoder = new FrameDecoder({ maxBodyBytes: maxInterpreterBodyBytes });
  readonly #pending = new Map<number, Pending>();
  readonly #parts: Buffer[] = [];
  readonly #onSnapshot: (parts: readonly Buffer[]) => void;
  readonly #started: Promise<void>;
  /** Settles when the process has ended. */
  readonly closed: Promise<void>;
  /** Whether it may work without keeping this process alive. */
  background = false;
  #markReady: (() => void) | undefined;
  #failStart: ((error: Error) => void) | undefined;
  #listener: CellListener | undefined;
  #fatal: FatalFrame | undefined;
  #problem = "";
  #stderr = "";
  #alive = true;
  #lastId = 0;
  #idleBytes = 0;
  /** Things that keep this process alive. */
  #holders = 0;

  /** @param options.onSnapshot takes the parts of a snapshot's file, when the interpreter makes one */
  constructor(command: Command, options: { cwd: string; onSnapshot: (parts: readonly Buffer[]) => void }) {
    this.#onSnapshot = options.onSnapshot;
    // Windows programs do not start without this variable.
    const { SystemRoot } = process.env;
    this.#child = spawn(command.file, command.args, {
      cwd: options.cwd,
      env: SystemRoot === undefined ? {} : { SystemRoot },
      stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
      windowsHide: true,
    });
    this.#channel = this.#child.stdio[channelFd] as Socket;
    this.#control = this.#child.stdio[controlFd] as Socket;
    this.#started = new Promise((resolve, reject) => {
      this.#markReady = resolve;
      this.#failStart = reject;
    });
    // Who never asks is not disturbed by a start that fails.
    this.#started.catch(() => undefined);
    this.closed = this.#follow();
    killAtExit(this.#child, this.closed);
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** Bytes of the process when it was ready. */
  get idleBytes(): number {
    return this.#idleBytes;
  }

  /** Waits until it is ready. Rejects with {@link ProcessGoneError}. */
  async ready(): Promise<void> {
    await this.#held(this.#started);
  }

  /** Bytes of the process now. */
  async residentBytes(): Promise<number | undefined> {
    return this.#child.pid === undefined ? undefined : await residentBytes(this.#child.pid);
  }

  /** Has something carried out, and gives what it answers. Rejects with {@link ProcessGoneError}. */
  async request(make: (id: number) => HostFrame, body: string, listener?: CellListener): Promise<Buffer> {
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise<Buffer>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    this.#listener = listener;
    if (this.#alive) this.post(make(id), body);
    else this.#rejectAll();
    try {
      return await this.#held(answer);
    } finally {
      this.#pending.delete(id);
      this.#listener = undefined;
    }
  }

  /** Sends a frame. */
  post(frame: HostFrame, body = ""): void {
    if (!this.#alive) return;
    for (const part of encodeFrame(frame, body)) if (part.length > 0) this.#channel.write(part);
  }

  /** Asks to stop the request that runs. */
  interrupt(): void {
    if (!this.#alive) return;
    const number = Buffer.alloc(4);
    number.writeUInt32BE(this.#lastId);
    this.#control.write(number);
    this.post({ type: "tick" });
  }

  /** Ends the process at once. */
  kill(): void {
    this.#child.kill("SIGKILL");
  }

  /** Ends the process and waits until it is gone. */
  async end(): Promise<void> {
    this.background = false;
    this.kill();
    await this.#held(this.closed);
  }

  #follow(): Promise<void> {
    const child = this.#child;
    const noted = (error: Error) => {
      this.#problem ||= errorText(error);
    };
    for (const socket of [this.#channel, this.#control]) socket.on("error", noted);
    child.on("error", noted);
    this.#channel.on("data", (chunk: Buffer) => this.#read(chunk));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      if (this.#stderr.length < maxStderrChars) this.#stderr += text.slice(0, maxStderrChars);
    });
    this.#hold(false);
    return new Promise((resolve) => {
      const end = () => {
        this.#end();
        resolve();
      };
      child.once("close", end);
      // Without a process there is nothing to close.
      if (child.pid === undefined) child.once("error", () => setImmediate(end));
    });
  }

  #read(chunk: Buffer): void {
    try {
      for (const frame of this.#decoder.push(chunk)) this.#take(frame);
    } catch (error) {
      this.#problem ||= errorText(error);
      this.kill();
    }
  }

  #take({ head, body }: Frame): void {
    switch (head.type) {
      case "ready":
        if (this.#markReady === undefined) throw new Error("an interpreter became ready twice");
        void this.#becomeReady();
        break;
      case "snapshot":
        // A guest that forges one would write into the start of every later session.
        if (this.#markReady === undefined) throw new Error("a snapshot came after the start");
        this.#parts.push(body);
        if (head.part === "memory") this.#onSnapshot(this.#parts.splice(0));
        break;
      case "done":
        if (typeof head.problem === "string")
          this.#pending.get(readId(head.id))?.reject(new Error(head.problem));
        else this.#pending.get(readId(head.id))?.resolve(body);
        break;
      case "call":
        this.#listener?.onCall(readId(head.call), String(head.name), body);
        break;
      case "wait":
        this.#listener?.onWait(Number(head.milliseconds));
        break;
      case "output":
        this.#listener?.onOutput(readStream(head.stream), body);
        break;
      case "fatal":
        this.#fatal = readFatal(head);
        break;
      default:
        throw new Error("a frame of an unknown type came");
    }
  }

  async #becomeReady(): Promise<void> {
    const ready = this.#markReady;
    this.#markReady = undefined;
    this.#idleBytes = (await this.residentBytes()) ?? 0;
    ready?.();
  }

  #end(): void {
    this.#alive = false;
    this.#rejectAll();
  }

  #rejectAll(): void {
    const { exitCode, signalCode } = this.#child;
    const how = signalCode === null ? `exit code ${exitCode}` : `signal ${signalCode}`;
    const said = this.#problem || this.#stderr.trim().split("\n").slice(-3).join(" ").slice(-500);
    const message = `The interpreter's process ended (${how})${said === "" ? "" : `: ${said}`}.`;
    const error = new ProcessGoneError(message, this.#fatal);
    this.#failStart?.(error);
    for (const { reject } of this.#pending.values()) reject(error);
  }

  /** Keeps this process alive until `work` settles, unless this is in the background. */
  async #held<T>(work: Promise<T>): Promise<T> {
    if (this.background) return await work;
    this.#hold(true);
    try {
      return await work;
    } finally {
      this.#hold(false);
    }
  }

  #hold(held: boolean): void {
    this.#holders = Math.max(0, this.#holders + (held ? 1 : -1));
    const method = this.#holders > 0 ? "ref" : "unref";
    this.#child[method]();
    for (const socket of [this.#channel, this.#control, this.#child.stderr as Socket | null])
      socket?.[method]();
  }
}
