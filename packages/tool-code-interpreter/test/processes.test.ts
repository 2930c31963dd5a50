import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { tempDir } from "@openjarvis/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { findExecutable } from "../src/find-executable.js";
import { CodeInterpreterTool } from "../src/index.js";

const hasPython = await findExecutable("python3").then(
  () => true,
  () => false,
);

/** A program in place of `python3` or `docker`: a Node.js script that gets `args`. */
async function fakeCommand(script: string) {
  const dir = await tempDir();
  onTestFinished(() => dir.remove());
  const command = join(dir.path, "fake");
  await writeFile(command, `#!${process.execPath}\nconst args = process.argv.slice(2);\n${script}\n`);
  await chmod(command, 0o755);
  return { command, dir };
}

/** A Python that runs its program as JavaScript. */
const evaluating = "new Function('require', 'process', args[2])(require, process)";

describe.skipIf(process.platform === "win32")("the runner system", () => {
  it("starts the command isolated, with nothing of this process", async () => {
    const { command } = await fakeCommand(
      "console.log(JSON.stringify([args, process.env, process.cwd(), require('fs').readFileSync(0, 'utf8')]))",
    );
    const tool = new CodeInterpreterTool({ runner: "system", command });
    const [args, env, cwd, input] = JSON.parse((await tool.execute({ code: "print(1)" })).content);
    expect(args).toEqual(["-I", "-c", "print(1)"]);
    expect(Object.keys(env).filter((key) => !key.startsWith("__CF"))).toEqual([]);
    expect(cwd).toContain("openjarvis-code-");
    expect(cwd).not.toBe(process.cwd());
    expect(input).toBe("");
    expect(() => execFileSync("ls", [cwd], { stdio: "ignore" })).toThrow();
  });

  it.each([
    ["stdout, then stderr", "console.error('err'); console.log('out')", "out\nerr", true, "ok"],
    ["a mark for nothing", "0", "(no output)", true, "ok"],
    [
      "the code of a program that ends with one",
      "process.exit(3)",
      "Exit: The program ended with code 3.",
      false,
      "exit",
    ],
    [
      "the traceback of a program that fails",
      "console.error('Traceback (most recent call last):\\nZeroDivisionError: division by zero'); process.exit(1)",
      "Traceback (most recent call last):\nZeroDivisionError: division by zero",
      false,
      "runtime",
    ],
    [
      "that a program was killed",
      "process.kill(process.pid, 'SIGKILL')",
      "Exit: The program was killed.",
      false,
      "crash",
    ],
  ])("returns %s", async (_what, code, content, success, exitKind) => {
    const { command } = await fakeCommand(evaluating);
    const tool = new CodeInterpreterTool({ runner: "system", command });
    expect(await tool.execute({ code })).toMatchObject({
      content,
      success,
      metadata: { exitKind, language: "python" },
    });
  });

  it("keeps head and tail of a long output", async () => {
    const { command } = await fakeCommand(evaluating);
    const tool = new CodeInterpreterTool({ runner: "system", command, limits: { maxOutputChars: 1_000 } });
    const code = "process.stdout.write('head' + '-'.repeat(3_000_000) + 'tail')";
    const result = await tool.execute({ code });
    expect(result.content).toMatch(/^head-+\n\[… output truncated: 299\d+ characters …\]\n-+tail$/);
    expect(result.content.length).toBeLessThanOrEqual(1_000);
    expect(result.metadata.truncated).toBe(true);
  });

  it.each(["timeout", "cancelled"])("ends a program and its children (%s)", async (how) => {
    const { command, dir } = await fakeCommand(evaluating);
    const file = join(dir.path, "pid");
    const code = `
      const child = require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
      require('fs').writeFileSync(${JSON.stringify(file)}, String(child.pid));
      console.log('started'); require('fs').writeFileSync(${JSON.stringify(`${file}.ready`)}, ''); setInterval(() => {}, 1000);`;
    const tool = new CodeInterpreterTool({
      runner: "system",
      command,
      ...(how === "timeout" ? { limits: { timeoutMs: 3_000 } } : {}),
    });
    const controller = new AbortController();
    const running = tool.execute({ code }, { signal: controller.signal });
    if (how === "cancelled") {
      await vi.waitFor(() => readFileSync(`${file}.ready`), { timeout: 15_000 });
      // What was printed has to come through the pipe first.
      await sleep(200);
      controller.abort();
    }
    const result = await running;
    expect(result.content).toContain("started");
    expect(result.content).toContain(how === "timeout" ? "timed out" : "cancelled");
    expect(result.metadata.exitKind).toBe(how);
    const pid = Number(await readFile(file, "utf8"));
    for (let tries = 0; tries < 50 && isAlive(pid); tries += 1) await sleep(20);
    expect(isAlive(pid)).toBe(false);
  });

  it("says that a command is missing, and that a program is too long", async () => {
    const missing = new CodeInterpreterTool({ runner: "system", command: "no-such-python" });
    expect((await missing.execute({ code: "1" })).content).toContain('"no-such-python" was not found');
    const { command } = await fakeCommand(evaluating);
    const tool = new CodeInterpreterTool({ runner: "system", command });
    expect((await tool.execute({ code: "1".repeat(100_001) })).content).toContain("longer than 100000 bytes");
  });

  it("asks a person", () => {
    const { spec } = new CodeInterpreterTool({ runner: "system" });
    expect(spec.requiresConfirmation).toBe(true);
    expect(spec.description).toContain("with the rights of the user");
  });

  it.skipIf(!hasPython)("runs Python", async () => {
    const tool = new CodeInterpreterTool({ runner: "system" });
    expect((await tool.execute({ code: "print(6 * 7)" })).content).toBe("42");
    const failed = await tool.execute({ code: "1 / 0" });
    expect(failed.content).toContain("ZeroDivisionError");
    expect(failed.metadata.exitKind).toBe("runtime");
    expect((await tool.execute({ code: "def" })).metadata.exitKind).toBe("syntax");
  });
});

describe.skipIf(process.platform === "win32")("the runner docker", () => {
  it("runs in a container that is bounded, without network, and asks a person", async () => {
    const { command } = await fakeCommand("console.log(JSON.stringify(args))");
    const tool = new CodeInterpreterTool({
      runner: "docker",
      command,
      limits: { memoryBytes: 64_000_000 },
      docker: { image: "python:3.13", cpus: 0.5, pidsLimit: 20 },
    });
    expect(tool.spec.requiresConfirmation).toBe(true);
    const args: string[] = JSON.parse((await tool.execute({ code: "print(1)" })).content);
    expect(args.slice(0, 3)).toEqual(["run", "--rm", "--name"]);
    const line = args.join(" ");
    expect(line).toContain(
      "--network none --memory 64000000 --memory-swap 64000000 --cpus 0.5 --pids-limit 20 --read-only",
    );
    expect(line).toContain("--cap-drop ALL --security-opt no-new-privileges");
    expect(args.slice(-5)).toEqual(["python:3.13", "python", "-I", "-c", "print(1)"]);
    expect(line).not.toMatch(/--volume|-v |--mount|--env/);
  });

  it("ends the container when the program is out of time", async () => {
    const { command, dir } = await fakeCommand(
      `require('fs').appendFileSync(__filename + '.log', JSON.stringify(args.slice(0, 4)) + '\\n');
       if (args[0] === 'run') setInterval(() => {}, 1000);`,
    );
    const tool = new CodeInterpreterTool({ runner: "docker", command, limits: { timeoutMs: 3_000 } });
    const result = await tool.execute({ code: "print(1)" });
    expect(result.metadata.exitKind).toBe("timeout");
    const log = () => readFile(join(dir.path, "fake.log"), "utf8");
    for (let tries = 0; tries < 100 && !(await log()).includes("kill"); tries += 1) await sleep(30);
    const [run = "", kill = ""] = (await log()).trim().split("\n");
    expect(JSON.parse(kill)).toEqual(["kill", JSON.parse(run)[3]]);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // Where nobody waits for orphans, an ended one stays in the table.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch (error) {
    return process.platform !== "linux" && (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}
