import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import {
  type AnyEvent,
  type EventBus,
  type EventType,
  type InferenceDelta,
  InferenceEngine,
  type InferenceOptions,
  type Message,
} from "../src/index.js";

export const packagesDir = fileURLToPath(new URL("../../", import.meta.url));

// Windows allows no question mark in a file name.
const awkwardName = `openjarvis core #1 %20${process.platform === "win32" ? "" : "?"}`;

/** A folder that is gone when the test has ended. Its name has what turning paths into addresses gets wrong. */
export function tempDir(name = awkwardName): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), name)));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Writes files below a folder; values that are no text become JSON. */
export function writeFiles(dir: string, files: Readonly<Record<string, unknown>>): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(dir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  }
}

/** Puts real copies of `core` and `model-output`, built and as they are published, into a folder's node_modules. */
export function installCore(dir: string): void {
  for (const name of ["core", "model-output"]) {
    const source = join(packagesDir, name);
    if (!existsSync(join(source, "dist/index.js"))) {
      throw new Error(`packages/${name} is not built: run \`pnpm build\` first.`);
    }
    const target = join(dir, "node_modules/@openjarvis", name);
    mkdirSync(target, { recursive: true });
    cpSync(join(source, "dist"), join(target, "dist"), { recursive: true });
    const { publishConfig, ...json } = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
    writeFiles(target, { "package.json": { ...json, ...publishConfig } });
  }
}

/** Runs a program to its end; rejects with its output when it fails. */
export function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { cwd, timeout: 60_000 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${program} ${args.join(" ")} failed:\n${stdout}${stderr}`, { cause: error }));
    });
  });
}

/** A promise with the function that fulfils it. */
export function deferred<T = void>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}

/** Everything published on a bus, in order. */
export function recordEvents(bus: EventBus): AnyEvent[] {
  const events: AnyEvent[] = [];
  bus.subscribe("*", (event) => {
    events.push(event);
  });
  return events;
}

/** The recorded events of one type. */
export function eventsOf<T extends EventType>(
  events: readonly AnyEvent[],
  type: T,
): Extract<AnyEvent, { type: T }>[] {
  return events.filter((event): event is Extract<AnyEvent, { type: T }> => event.type === type);
}

/** An answer of a {@link ScriptedEngine}: what it streams, or what it does. */
export type Step =
  | readonly InferenceDelta[]
  | ((options: InferenceOptions, messages: readonly Message[]) => AsyncIterable<InferenceDelta>);

/** An engine that answers with one step of a script after the other, and remembers what it was asked. */
export class ScriptedEngine extends InferenceEngine {
  readonly engineId: string = "scripted";
  readonly calls: { messages: Message[]; options: InferenceOptions }[] = [];
  readonly #steps: Step[];

  constructor(...steps: Step[]) {
    super();
    this.#steps = steps;
  }

  async *stream(messages: readonly Message[], options: InferenceOptions): AsyncGenerator<InferenceDelta> {
    this.calls.push({ messages: messages.map((message) => ({ ...message })), options });
    const step = this.#steps.shift();
    if (step === undefined) throw new Error("The script of the engine is at its end.");
    if (typeof step === "function") yield* step(options, messages);
    else yield* step;
  }
}

export function text(content: string): InferenceDelta {
  return { type: "text", text: content };
}

export function toolCall(id: string, name: string, args: object | string): InferenceDelta {
  return { type: "tool_call", id, name, arguments: typeof args === "string" ? args : JSON.stringify(args) };
}

export function usage(promptTokens: number, completionTokens: number): InferenceDelta {
  return { type: "usage", usage: { promptTokens, completionTokens } };
}
