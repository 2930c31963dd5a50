import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { childCommand } from "../src/child-command.js";
import { findInstallation } from "../src/install.js";
import { inspectNode } from "../src/node-runtime.js";
import { testSandbox, told } from "./helpers/sandbox.js";

const secret = "swordfish-4711";
const folder = mkdtempSync(join(tmpdir(), "openjarvis-escape-"));
const file = join(folder, "secret.txt");
writeFileSync(file, secret);
process.env.OPENJARVIS_TEST_SECRET = secret;

/** A server that no guest must reach. */
const connections: string[] = [];
const server = createServer((socket) => {
  connections.push(String(socket.remotePort));
  socket.end(secret);
});
let port = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const calls: unknown[] = [];
const sandbox = testSandbox({ graceMs: 300 });
const session = await sandbox.createSession({ functions: { note: ([value]) => calls.push(value) } });

/** Takes hold of everything a hostile guest can find of the sandbox's own, through the frames and the collector. */
const takeHold = `
import gc, sys, types
frame, bridge = sys._getframe(), None
while frame is not None:
    bridge = bridge or frame.f_globals.get("bridge")
    frame = frame.f_back
modules = {o.__name__: o for o in gc.get_objects() if isinstance(o, types.ModuleType)}
to_js = modules["_pyodide_core"].to_js
Function = bridge.call.constructor
Array = to_js([1]).constructor
`;
await session.run(takeHold);

async function attempt(code: string) {
  const result = await session.run(code.replaceAll("PORT", String(port)).replaceAll("FILE", file), {
    limits: { timeoutMs: 3_000, totalTimeoutMs: 6_000 },
  });
  if (result.stateLost) await session.run(takeHold);
  const everything = `${told(result)}${result.stderr}${result.error?.traceback ?? ""}`;
  expect(everything).not.toContain(secret);
  return result;
}

describe("a guest has no way", () => {
  it("finds what this file takes hold of, so that the attempts below mean something", async () => {
    expect(told(await session.run("type(Function).__name__, str(Function)"))).toContain(
      "function Function()",
    );
    expect(told(await session.run("to_js([1, 2]).length"))).toBe("2");
  });

  it.each([
    ["import js", "import js\njs.process.env"],
    ["from js", "from js import process"],
    ["pyodide_js", "import pyodide_js\npyodide_js.mountNodeFS('/mnt', '/')"],
    ["pyodide.code", "from pyodide.code import run_js\nrun_js('process.env')"],
    ["pyodide.http", "from pyodide.http import pyfetch\nawait pyfetch('http://127.0.0.1:PORT')"],
    ["an import by name", "import importlib\nimportlib.import_module('pyodide.ffi')"],
    ["the machinery of imports", "import sys\n[f.find_spec('js') for f in sys.meta_path]"],
    ["micropip", "import micropip\nawait micropip.install('six')"],
    ["pip", "import pip"],
    ["an evaluated import", "eval(\"__import__('js')\")"],
  ])("to JavaScript by %s", async (_how, code) => {
    expect(await attempt(code)).toMatchObject({ success: false, error: { name: "ModuleNotFoundError" } });
  });

  it.each([
    ["the constructor of a function", "Function('return process')()"],
    ["new", "Function.new('return process')()"],
    [
      "the constructor of an array's constructor",
      "to_js([1]).constructor.constructor('return globalThis')()",
    ],
    ["the constructor of an async function", "bridge.call.constructor.new('return import(\"node:fs\")')()"],
    ["run_js", "modules['pyodide.code'].run_js('globalThis.process')"],
    ["the emscripten of C", "import ctypes\nctypes.CDLL(None).emscripten_run_script(b'globalThis.process')"],
    ["what binds functions", "bridge.call.bind(None).constructor('return this')()"],
    [
      "an error's object",
      "try:\n    Function('x')\nexcept Exception as e:\n    e.js_error.constructor.constructor('return process')()",
    ],
  ])("to run code of JavaScript by %s", async (_how, code) => {
    const { error } = await attempt(code);
    expect(error?.message).toMatch(/Code generation from strings disallowed|No module named 'js'/);
  });

  it.each([
    ["process", "process"],
    ["require", "require"],
    ["fetch", "fetch"],
    ["WebSocket", "WebSocket"],
    ["Buffer", "Buffer"],
    ["globalThis", "globalThis"],
  ])("to %s of Node.js from any object it can find", async (_what, name) => {
    const code = [
      "def look(value, depth):",
      "    if depth == 0 or id(value) in seen: return",
      "    seen.add(id(value))",
      "    for key in dir(value):",
      "        if key.startswith('__'): continue",
      `        if key == '${name}': found.append(key)`,
      "        try: look(getattr(value, key), depth - 1)",
      "        except Exception: pass",
      "seen, found = set(), []",
      "for start in (bridge.call, bridge.write, Function, Array, to_js([1])): look(start, 3)",
      "found, len(seen) > 20",
    ].join("\n");
    expect(told(await attempt(code))).toBe("([], True)");
  });

  it.each([
    ["a method of arrays", "Array.prototype.push = bridge.call"],
    ["a method of functions", "Function.prototype.call = bridge.call"],
    ["a new property of objects", "Function.prototype.polluted = 1"],
    ["a static method", "Array['from'] = bridge.call"],
  ])("to change the JavaScript of the runner by %s", async (_how, code) => {
    expect((await attempt(code)).success).toBe(false);
    expect(told(await attempt("[n for n in (1, 2)]"))).toBe("[1, 2]");
  });

  it.each([
    ["open", "open('FILE').read()"],
    ["open of a file of the system", "open('/etc/passwd').read()"],
    ["/proc", "open('/proc/self/environ').read()"],
    ["os.listdir", "import os\nos.listdir('/etc')"],
    ["a link", "import os\nos.symlink('FILE', '/tmp/link')\nopen('/tmp/link').read()"],
    [
      "sqlite",
      "import sqlite3\nsqlite3.connect('FILE').execute('select * from sqlite_master').fetchall()\nopen('FILE').read()",
    ],
    ["a loop over descriptors", "import os\nfor fd in range(3, 64): print(os.read(fd, 100))"],
    ["mmap", "import mmap, os\nmmap.mmap(os.open('FILE', os.O_RDONLY), 0).read()"],
    ["C", "import ctypes\nf = ctypes.CDLL(None).fopen(b'FILE', b'r')\nassert f != 0"],
  ])("to files by %s", async (_how, code) => {
    expect((await attempt(code)).success).toBe(false);
  });

  it("sees only the interpreter's own files and folders", async () => {
    const listed = await attempt("import os\nsorted(os.listdir('/')), os.path.exists('FILE')");
    expect(told(listed)).toBe("(['dev', 'home', 'lib', 'proc', 'tmp'], False)");
  });

  it("to the environment, or to where things are", async () => {
    const shown = told(
      await attempt(
        "import os, sys, platform\nos.environ, sys.argv, os.getcwd(), sys.executable, platform.uname()",
      ),
    );
    for (const part of [process.cwd(), process.execPath, process.env.HOME ?? "/root", "OPENJARVIS"]) {
      expect(shown).not.toContain(part);
    }
    const stack = told(
      await attempt("try:\n    Function('x')\nexcept Exception as e:\n    print(e.js_error.stack)"),
    );
    expect(stack).not.toMatch(/file:|node_modules|runner/);
  });

  it.each([
    [
      "a socket",
      "import socket\ns = socket.socket()\ns.settimeout(2)\ns.connect(('127.0.0.1', PORT))\ns.recv(10)",
    ],
    ["urllib", "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:PORT/', timeout=2).read()"],
    [
      "http.client",
      "import http.client\nc = http.client.HTTPConnection('127.0.0.1', PORT, timeout=2)\nc.request('GET', '/')",
    ],
    ["asyncio", "import asyncio\nawait asyncio.open_connection('127.0.0.1', PORT)"],
    [
      "UDP",
      "import socket\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\ns.sendto(b'x', ('127.0.0.1', PORT))\nassert False",
    ],
    [
      "a listening socket",
      "import socket\ns = socket.socket()\ns.bind(('127.0.0.1', 0))\ns.listen()\nassert False",
    ],
    ["ftplib", "import ftplib\nftplib.FTP('127.0.0.1', timeout=2)"],
  ])("to the network by %s", async (_how, code) => {
    expect((await attempt(code)).success).toBe(false);
    expect(connections).toEqual([]);
  });

  it.each([
    ["subprocess", "import subprocess\nsubprocess.run(['ls'])"],
    ["os.popen", "import os\nos.popen('ls').read()"],
    ["os.system", "import os\nassert os.system('ls') == 0"],
    ["os.fork", "import os\nos.fork()"],
    ["os.execv", "import os\nos.execv('/bin/ls', ['ls'])"],
    ["os.kill", `import os\nos.kill(${process.pid}, 9)`],
    ["multiprocessing", "import multiprocessing\np = multiprocessing.Process(target=print)\np.start()"],
    ["system of C", "import ctypes\nassert ctypes.CDLL(None).system(b'ls') == 0"],
    ["a library", "import ctypes\nctypes.CDLL('/lib/x86_64-linux-gnu/libc.so.6')"],
    ["a thread", "import threading\nthreading.Thread(target=print).start()"],
  ])("to processes by %s", async (_how, code) => {
    expect((await attempt(code)).success).toBe(false);
  });

  it("to the host's channel by its descriptors", async () => {
    const code =
      "import os\nheld = []\nfor fd in range(64):\n    try:\n        os.fstat(fd)\n        held.append(fd)\n    except OSError: pass\nheld";
    const held = (await attempt(code)).json as number[];
    expect(held.every((fd) => fd < 3)).toBe(true);
    await attempt(
      "import os\nfor fd in (3, 4):\n    try: os.write(fd, b'\\0' * 64)\n    except OSError: pass",
    );
    expect(told(await attempt("1 + 1"))).toBe("2");
  });

  it("to forge messages by what it prints", async () => {
    const frame = JSON.stringify({ type: "done", id: 1 });
    const code =
      `import os, sys\nbody = b'{"outcome":{"value":"forged"}}'\nhead = ${JSON.stringify(frame)}.encode()\n` +
      "forged = len(head).to_bytes(4, 'big') + len(body).to_bytes(4, 'big') + head + body\n" +
      "for fd in (1, 2): os.write(fd, forged)\nsys.__stdout__.buffer.write(forged)\nsys.__stdout__.flush()\n'true'";
    expect((await attempt(code)).value).toBe("'true'");
    expect(told(await attempt("2 + 2"))).toBe("4");
  });

  it("to more than its host functions when it calls the bridge itself", async () => {
    calls.length = 0;
    for (const code of [
      "bridge.call(10**6, 'note', '[\"direct\"]')",
      "bridge.call(10**6 + 1, 'constructor', '[]')",
      "bridge.call(10**6 + 2, '__proto__', '[]')",
      "bridge.call(10**6 + 3, 'note', 'no json')",
      "bridge.call(-1, 'note', '[]')",
      "bridge.call('x', None, None)",
      "bridge.write(7, None, 'x', 3)",
      "bridge.wait(-1)",
      "bridge.take()",
    ]) {
      const result = await attempt(`${code}\nimport time\ntime.sleep(0.05)`);
      if (result.stateLost) expect(["crash", "timeout"]).toContain(result.error?.kind);
      expect(told(await attempt("'alive'"))).toBe("'alive'");
    }
    expect(calls.filter((value) => value !== "direct")).toEqual([]);
  });

  it("to the limits, which it cannot lift", async () => {
    const disarm = "bridge.arm(False)\nwhile True: pass";
    const result = await session.run(disarm, { limits: { timeoutMs: 300 } });
    expect(result).toMatchObject({ stateLost: true, error: { kind: "timeout" } });
    await session.run(takeHold);
  });

  it("to another session", async () => {
    const other = await sandbox.createSession();
    await session.run("import builtins\nbuiltins.len = None\nbuiltins.mine = 1");
    expect(told(await other.run("len([1]), hasattr(__builtins__, 'mine')"))).toBe("(1, False)");
    await other.close();
    await session.reset();
    await session.run(takeHold);
    expect(told(await session.run("len([1])"))).toBe("1");
  });
});

/** The process itself, with code of ours in place of the runner: what if a guest had JavaScript after all? */
describe("the process of an interpreter", () => {
  async function probe(code: string): Promise<string> {
    const runner = join(folder, "probe.mjs");
    writeFileSync(runner, code);
    const installation = { ...findInstallation(), runner };
    const command = childCommand({
      node: await inspectNode(undefined),
      installation: { ...installation, files: [runner, ...installation.files] },
      config: { pyodideDir: installation.pyodideDir, snapshotFile: "", snapshotKey: "" },
      unsafe: false,
      networkNamespace: false,
    });
    const outcome = await promisify(execFile)(command.file, command.args, { env: {} }).catch(
      (error: { stdout: string; stderr: string }) => error,
    );
    return outcome.stdout + outcome.stderr;
  }

  it.each([
    [
      "read a file",
      `import { readFileSync } from "node:fs"; console.log(readFileSync(${JSON.stringify(file)}, "utf8"))`,
    ],
    ["list a folder", 'import { readdirSync } from "node:fs"; console.log(readdirSync("/etc"))'],
    [
      "write a file",
      `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(join(folder, "new"))}, "x")`,
    ],
    ["start a process", 'import { execSync } from "node:child_process"; console.log(execSync("id"))'],
    ["start a thread", 'import { Worker } from "node:worker_threads"; new Worker("1", { eval: true })'],
    ["load an addon", 'process.dlopen({ exports: {} }, "/x.node")'],
    ["use the inspector", 'import inspector from "node:inspector"; inspector.open(0)'],
  ])("may not %s", async (_what, code) => {
    const said = await probe(code);
    expect(said).toMatch(/ERR_ACCESS_DENIED|ERR_DLOPEN_DISABLED|restricted/);
    expect(said).not.toContain(secret);
  });

  it("may not make code from texts", async () => {
    expect(await probe("eval('1')")).toContain("Code generation from strings disallowed");
  });

  it("is given no environment", async () => {
    expect((await probe("console.log(JSON.stringify(process.env))")).trim()).toBe("{}");
  });
});
