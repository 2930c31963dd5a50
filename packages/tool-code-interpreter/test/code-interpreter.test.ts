import { findCodeSessionSource, isJarvisError, SandboxRegistry } from "@openjarvis/core";
import { VmSandbox } from "@openjarvis/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type CodeInterpreterOptions, CodeInterpreterTool } from "../src/index.js";

function setup(options: CodeInterpreterOptions = {}) {
  const sandbox = new VmSandbox();
  const tool = new CodeInterpreterTool({ sandbox: () => sandbox, ...options });
  return { sandbox, tool };
}

afterEach(() => SandboxRegistry.clear());

describe("a call", () => {
  it.each([
    ["what is printed, then the value", "print('a')\n1 + 1", "a\n2"],
    ["what is printed", "print('a'); print('b')", "a\nb"],
    ["the value", "6 * 7", "42"],
    ["a mark for nothing", "if (true) {}", "(no output)"],
  ])("returns %s", async (_what, code, content) => {
    const result = await setup().tool.execute({ code });
    expect(result).toMatchObject({ toolName: "code_interpreter", success: true, content });
    expect(result.metadata).toMatchObject({
      language: "python",
      exitKind: "ok",
      stateLost: false,
      truncated: false,
    });
    expect(result.metadata.durationSeconds).toBeGreaterThan(0);
  });

  it("puts stderr between what is printed and the value", async () => {
    const { sandbox, tool } = setup();
    const create = sandbox.createSession.bind(sandbox);
    sandbox.createSession = async (options) => {
      const session = await create(options);
      const run = session.run.bind(session);
      session.run = async (code, more) => ({ ...(await run(code, more)), stderr: "careful\n" });
      return session;
    };
    expect((await tool.execute({ code: "print('a')\n1" })).content).toBe("a\ncareful\n1");
  });

  it("keeps nothing for the next one, and closes its session", async () => {
    const { sandbox, tool } = setup();
    await tool.execute({ code: "x = 1" });
    expect((await tool.execute({ code: "typeof x" })).content).toBe("'undefined'");
    expect(sandbox.sessions).toHaveLength(2);
    expect(sandbox.open).toBe(0);
  });

  it("that fails shows what was printed and the traceback", async () => {
    const { tool, sandbox } = setup();
    const result = await tool.execute({ code: "print('a')\nmissing()" });
    expect(result.success).toBe(false);
    expect(result.content).toContain("a\nTraceback:\n  print('a')\nmissing()");
    expect(result.metadata).toMatchObject({ code: "OJ_TOOL_FAILED", exitKind: "runtime" });
    expect(sandbox.open).toBe(0);
  });

  it("ends at its time limit and says so", async () => {
    const { tool } = setup({ limits: { totalTimeoutMs: 30 } });
    const result = await tool.execute({ code: "await forever()" });
    expect(result.content).toContain("timed out");
    expect(result.metadata).toMatchObject({ code: "OJ_TOOL_TIMEOUT", exitKind: "timeout" });
  });

  it("can be cancelled", async () => {
    const { tool, sandbox } = setup();
    const controller = new AbortController();
    const running = tool.execute({ code: "await forever()" }, { signal: controller.signal });
    await vi.waitFor(() => expect(sandbox.sessions[0]?.cells).toHaveLength(1), { timeout: 10_000 });
    controller.abort();
    const result = await running;
    expect(result.metadata).toMatchObject({ code: "OJ_ABORTED", exitKind: "cancelled" });
    expect(sandbox.open).toBe(0);
  });

  it.each(["", "  \n"])("without code (%j) fails", async (code) => {
    const { tool, sandbox } = setup();
    const result = await tool.execute({ code });
    expect(result).toMatchObject({ success: false, metadata: { code: "OJ_TOOL_ARGUMENTS" } });
    expect(result.content).toMatch(/No code/);
    expect(sandbox.sessions).toHaveLength(0);
  });

  it("passes the limits and the language on", async () => {
    const asked: string[] = [];
    const sandbox = new VmSandbox("javascript");
    const tool = new CodeInterpreterTool({
      sandbox: (language) => {
        asked.push(language);
        return sandbox;
      },
      limits: { timeoutMs: 500 },
    });
    await tool.execute({ code: "1", language: "javascript" });
    await tool.execute({ code: "1" });
    expect(asked).toEqual(["javascript", "python"]);
    expect(sandbox.sessions[0]?.options.limits).toEqual({ timeoutMs: 500 });
    const refused = await tool.execute({ code: "1", language: "cobol" });
    expect(refused).toMatchObject({ success: false, metadata: { code: "OJ_TOOL_ARGUMENTS" } });
  });
});

describe("sandboxes", () => {
  it("come from the registry, one of each language, and are closed by the tool", async () => {
    const made: VmSandbox[] = [];
    SandboxRegistry.register("python")((): VmSandbox => {
      const sandbox = new VmSandbox();
      made.push(sandbox);
      return sandbox;
    });
    const tool = new CodeInterpreterTool();
    await tool.execute({ code: "1" });
    await tool.execute({ code: "2" });
    expect(made).toHaveLength(1);
    const session = await tool.createCodeSession("python");
    expect(made[0]?.open).toBe(1);
    await tool.close();
    await tool.close();
    expect(made[0]?.open).toBe(0);
    await expect(session.run("1")).rejects.toThrow("closed");
    expect((await tool.execute({ code: "3" })).metadata.code).toBe("OJ_CLOSED");
  });

  it("that were given stay open when the tool is closed", async () => {
    const { tool, sandbox } = setup();
    await tool.createCodeSession("python");
    await tool.close();
    expect(sandbox.open).toBe(1);
  });

  it.each([
    ["python", "@openjarvis/sandbox-pyodide"],
    ["javascript", "@openjarvis/sandbox-quickjs"],
  ])("that are missing for %s are named with the command that installs them", async (language, name) => {
    const result = await new CodeInterpreterTool().execute({ code: "1", language });
    expect(result.success).toBe(false);
    expect(result.content).toContain(`jarvis plugins add ${name}`);
    expect(result.metadata).toMatchObject({ code: "OJ_SANDBOX_NOT_INSTALLED", package: name });
  });
});

describe("a session", () => {
  it("is found by agents, keeps its variables, and calls host functions", async () => {
    const { tool } = setup();
    const source = findCodeSessionSource([tool]);
    expect(source?.codeLanguages).toEqual(["python", "javascript"]);
    const session = await tool.createCodeSession("python", { functions: { double: ([n]) => Number(n) * 2 } });
    await session.run("x = 21");
    expect((await session.run("await double(x)")).value).toBe("42");
    await session.close();
  });

  it("of another language is refused", async () => {
    const error = await setup()
      .tool.createCodeSession("cobol")
      .catch((thrown: unknown) => thrown);
    expect(isJarvisError(error, "OJ_OPTION")).toBe(true);
  });

  it("does not exist with a runner that starts processes", () => {
    expect(new CodeInterpreterTool({ runner: "system" }).codeLanguages).toEqual([]);
  });
});

describe("the tool", () => {
  it("describes itself", () => {
    const { spec } = setup().tool;
    expect(spec).toMatchObject({
      name: "code_interpreter",
      category: "code",
      requiresConfirmation: false,
      metadata: { structured_allow_object_text: true },
    });
    expect(spec.parameters).toMatchObject({
      required: ["code"],
      properties: { code: { type: "string", description: "Python code to execute" } },
    });
    expect(spec.timeoutSeconds).toBeGreaterThan(300);
    expect(setup({ limits: { totalTimeoutMs: 1_000_000 } }).tool.spec.timeoutSeconds).toBeGreaterThan(1_000);
  });

  it("has `code` as its only parameter when it runs one language", () => {
    const { spec } = setup({ languages: ["python"] }).tool;
    expect(spec.parameters).toEqual({
      type: "object",
      properties: { code: { type: "string", description: "Python code to execute" } },
      required: ["code"],
    });
  });

  it.each<[object, string]>([
    [{ sandbx: 1 }, 'has no option "sandbx"'],
    [{ runner: "dockr" }, 'has no runner "dockr"'],
    [{ languages: [] }, "at least one language"],
    [{ runner: "system", languages: ["javascript"] }, "runs Python only"],
    [{ command: "python3" }, "runners system and docker"],
    [{ docker: {} }, "runner docker"],
    [{ runner: "docker", docker: { cpu: 1 } }, 'has no option "cpu"'],
    [{ runner: "docker", docker: { cpus: 0 } }, "docker.cpus"],
    [{ runner: "system", limits: { timeoutMs: 0 } }, "limits.timeoutMs"],
  ])("refuses the options %j", (options, message) => {
    expect(() => new CodeInterpreterTool(options)).toThrow(message);
  });

  it("takes what is offered to every tool", () => {
    expect(
      () => new CodeInterpreterTool({ bus: {}, home: "/tmp", engine: {}, model: "m" } as object),
    ).not.toThrow();
  });
});
