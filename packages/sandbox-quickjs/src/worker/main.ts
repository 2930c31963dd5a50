import "./compiled.js";
import { readFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { CellBoard } from "../cell-board.js";
import {
  type FromWorker,
  type OpenRequest,
  type RunRequest,
  type SetRequest,
  sharedClock,
  type ToWorker,
  type WorkerLimits,
} from "../protocol.js";
import { providedNames } from "../provided-names.js";
import { Cell } from "./cell.js";
import { loadQuickJs } from "./quickjs.js";
import { Sources } from "./traceback.js";
import { GuestMemoryError, Vm } from "./vm.js";

const port = parentPort;
if (port === null) throw new Error("This file is the worker of a sandbox; it is started by one.");

interface Session {
  vm: Vm;
  sources: Sources;
  options: OpenRequest;
}

const guestSource = `(function(){${readFileSync(new URL("./guest.js", import.meta.url), "utf8")};return guest.install})()`;

const warmCode =
  "const [a, b] = [1, { c: 'd' }];\nfunction f(x) { return x; }\nprint(f(a), b);\nawait null;\n({ a, b })";

const warmLimits: WorkerLimits = {
  timeoutMs: 1_000,
  memoryBytes: 16 * 1024 * 1024,
  stackBytes: 256 * 1024,
  maxOutputChars: 1_000,
  maxHostCalls: 0,
};

/** The interpreter of the next session; every session gets a memory of its own. */
let next: Promise<Vm> | undefined = makeVm();
let session: Session | undefined;
let cell: Cell | undefined;

port.on("message", (message: ToWorker) => {
  switch (message.type) {
    case "open":
      void open(message);
      break;
    case "warm":
      void warm(message.id);
      break;
    case "set":
      done(message.id, set(message));
      break;
    case "run":
      run(message);
      break;
    case "settle":
      cell?.settle(message);
      break;
    case "stop":
      if (cell?.id === message.id) cell.stop();
      break;
    case "close":
      session = undefined;
      cell = undefined;
      done(message.id);
      next ??= makeVm();
      break;
  }
});

await next;
post({ type: "ready" });

async function makeVm(): Promise<Vm> {
  return new Vm(await loadQuickJs(), guestSource);
}

async function open(request: OpenRequest): Promise<void> {
  try {
    // What the session before has left is not touched again: taking it down could fail, and its memory goes as a whole.
    session = undefined;
    const making = next ?? makeVm();
    next = undefined;
    const vm = await making;
    vm.setLimits(request.limits);
    vm.provide(request.functions);
    session = { vm, sources: new Sources(), options: request };
    done(request.id);
  } catch (error) {
    done(request.id, error instanceof Error ? error.message : String(error));
  }
}

function set({ name, value }: SetRequest): string | undefined {
  const vm = session?.vm;
  if (vm === undefined) return "no session is open";
  try {
    const key = vm.newText(name);
    const handle = vm.newValue(value);
    const result = vm.callApi("setVariable", key, handle);
    for (const given of [key, handle]) given.dispose();
    const failed = result.error !== undefined;
    (result.error ?? result.value).dispose();
    return failed ? `the guest has made "${name}" unchangeable` : undefined;
  } catch (error) {
    return error instanceof GuestMemoryError
      ? "it does not fit into the memory of the session"
      : String(error);
  }
}

function run(request: RunRequest): void {
  if (session === undefined) throw new Error("No session is open.");
  cell = makeCell(session, request, post, () => {
    cell = undefined;
  });
  cell.start();
}

/** Runs a cell in a session that nobody sees: its code is compiled then, for all sessions to come. */
async function warm(id: number): Promise<void> {
  await open({ type: "open", id, functions: [], insertAwait: true, limits: warmLimits });
  if (session !== undefined) {
    const board = new CellBoard(warmLimits.maxOutputChars).memory;
    const startedAt = sharedClock();
    const request = {
      type: "run",
      id,
      code: warmCode,
      cell: 1,
      limits: warmLimits,
      board,
      startedAt,
    } as const;
    makeCell(
      session,
      request,
      () => undefined,
      () => undefined,
    ).start();
  }
  session = undefined;
  next ??= makeVm();
}

function makeCell(
  of: Session,
  request: RunRequest,
  send: (message: FromWorker) => void,
  onEnd: () => void,
): Cell {
  const { vm, sources, options } = of;
  const functions = new Set(options.functions);
  const reserved = new Set([...functions, ...providedNames]);
  const prepare = { functions, reserved, insertAwait: options.insertAwait };
  return new Cell(request, { vm, sources, prepare, post: send, onEnd });
}

function done(id: number, problem?: string): void {
  post(problem === undefined ? { type: "done", id } : { type: "done", id, problem });
}

function post(message: FromWorker): void {
  port?.postMessage(message);
}
