import { channelFd, controlFd, type ReadyFrame, type RunnerConfig } from "../protocol.js";
import { Channel } from "./channel.js";
import { fatalOf } from "./failure.js";
import { disableNetwork, freezeIntrinsics, stripGlobals, stripProcess } from "./harden.js";
import { Interpreter } from "./interpreter.js";
import { Interrupts } from "./interrupts.js";
import { MemoryCap } from "./memory-cap.js";
import {
  connectRuntime,
  loadRuntime,
  readPackageIndex,
  readRuntimeFiles,
  startPyodide,
  type WasmModule,
} from "./python.js";
import { becomeShell } from "./shell.js";
import { packSnapshot, readSnapshot } from "./snapshot.js";

const config = JSON.parse(process.argv[2] ?? "") as RunnerConfig;
const node = process as typeof process & { reallyExit(code: number): never };
const exit = node.reallyExit.bind(node);
// Ctrl-C at a terminal reaches the whole process group; the host decides what it means.
process.on("SIGINT", () => undefined);

const channel = new Channel(channelFd);
const interrupts = new Interrupts(controlFd, () => exit(0));
const cap = new MemoryCap();

try {
  const interpreter = await start();
  for (let frame = channel.read(); frame !== undefined; frame = channel.read()) interpreter.handle(frame);
} catch (error) {
  channel.write(fatalOf(error));
}
exit(0);

async function start(): Promise<Interpreter> {
  const files = readRuntimeFiles(config.pyodideDir);
  const index = readPackageIndex(config.pyodideDir);
  const found = config.snapshotFile === "" ? "off" : readSnapshot(config.snapshotFile, config.snapshotKey);
  const stored = typeof found === "string" ? undefined : found;
  const makes = found === "missing" || found === "invalid";
  disableNetwork();
  cap.install();
  becomeShell(files);
  const pyodide = await startPyodide(config.pyodideDir, { index, snapshot: makes ? "make" : stored });
  if (stored === undefined) loadRuntime(pyodide);
  if (makes) sendSnapshot(pyodide.makeMemorySnapshot());
  const module = (pyodide as unknown as { _module: WasmModule })._module;
  const interpreter = new Interpreter({ channel, interrupts, cap, exit: () => exit(0), module });
  interpreter.attach(pyodide, connectRuntime(pyodide, interpreter.bridge));
  stripGlobals(() => interpreter.mute());
  stripProcess(node);
  freezeIntrinsics();
  channel.write({ type: "ready" } satisfies ReadyFrame);
  return interpreter;
}

function sendSnapshot(snapshot: Uint8Array): void {
  const { header, memory } = packSnapshot(config.snapshotKey, snapshot);
  channel.write({ type: "snapshot", part: "header" }, header);
  channel.write({ type: "snapshot", part: "memory" }, memory);
}
