import { randomBytes } from "node:crypto";
import { writeSync } from "node:fs";

/** Files Pyodide asks for while it starts, by their name. */
export type RuntimeFiles = Map<string, Uint8Array>;

/**
 * Makes this process look like a bare JavaScript shell: no `process`, no `require`, and as files only the given ones.
 * Pyodide then never takes hold of Node's modules (fs, child_process, ws), so that nothing leads from Python to them.
 *
 * The names are those of V8's shell `d8`, which Pyodide supports.
 */
export function becomeShell(files: RuntimeFiles): void {
  const open = (path: string): ArrayBuffer => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const bytes = files.get(name);
    if (bytes === undefined) throw new Error(`there is no file ${name}`);
    // Each is read once; what is not needed again must not stay in memory.
    files.delete(name);
    const { buffer } = bytes;
    const whole = buffer instanceof ArrayBuffer && bytes.byteLength === buffer.byteLength;
    return whole ? buffer : Uint8Array.from(bytes).buffer;
  };
  const shell = {
    read: (path: string) => new TextDecoder().decode(open(path)),
    readbuffer: open,
    load: () => {
      throw new Error("there are no scripts to load");
    },
    // Emscripten's source of randomness in a shell: a command line that prints a number of random bytes as Base64.
    os: { system: (_command: string, args: readonly string[]) => randomBase64(args[1] ?? "") },
    console: { log: say, warn: say, error: say },
    process: undefined,
  };
  for (const [name, value] of Object.entries(shell)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true, enumerable: true });
  }
}

/** What the runtime says while it starts is for the host to read when the start fails. */
function say(...values: unknown[]): void {
  writeSync(2, `${values.map((value) => String(value).slice(0, 500)).join(" ")}\n`);
}

const maxRandomBytes = 65_536;

function randomBase64(command: string): string {
  const count = Number(/head -c(\d+) /.exec(command)?.[1] ?? Number.NaN);
  if (!(count <= maxRandomBytes)) throw new Error("this many random bytes cannot be had");
  return randomBytes(count).toString("base64");
}
