import { CodeActAgent } from "@openjarvis/agent-codeact";
import { type BaseTool, type CodeSandbox, defineTool, EventBus, InstrumentedEngine } from "@openjarvis/core";
import { PyodideSandbox } from "@openjarvis/sandbox-pyodide";
import { QuickJsSandbox } from "@openjarvis/sandbox-quickjs";
import { recordEvents, ScriptedEngine } from "@openjarvis/testing";
import { CodeInterpreterTool } from "@openjarvis/tool-code-interpreter";
import { afterAll, describe, expect, it } from "vitest";

const sandboxes: Record<string, CodeSandbox> = {
  python: new PyodideSandbox(),
  javascript: new QuickJsSandbox(),
};
const interpreter = new CodeInterpreterTool({
  sandbox: (language) => {
    const sandbox = sandboxes[language];
    if (sandbox === undefined) throw new Error(`no sandbox for ${language}`);
    return sandbox;
  },
  limits: { timeoutMs: 2_000 },
});

afterAll(() => Promise.all(Object.values(sandboxes).map((sandbox) => sandbox.close())));

const add: BaseTool = defineTool({
  name: "add",
  description: "Adds.",
  parameters: {
    type: "object",
    properties: { a: { type: "number", description: "a" }, b: { type: "number", description: "b" } },
    required: ["a", "b"],
  } as const,
  run: ({ a, b }) => String(a + b),
});

async function run(script: string[], options: { signal?: AbortSignal; maxTurns?: number } = {}) {
  const { signal, maxTurns = 10 } = options;
  const bus = new EventBus();
  const events = recordEvents(bus);
  const engine = new ScriptedEngine(script);
  const tools = [interpreter, add];
  const agent = new CodeActAgent({
    engine: new InstrumentedEngine(engine, bus),
    model: "m",
    bus,
    tools,
    maxTurns,
  });
  const result = await agent.run("go", {}, { signal });
  events.assertBalanced();
  const told = engine.calls.slice(1).map(({ messages }) => messages.at(-1)?.content ?? "");
  return { result, told };
}

const python = (code: string) => `\`\`\`python\n${code}\n\`\`\``;
const js = (code: string) => `\`\`\`js\n${code}\n\`\`\``;

describe("a CodeAct agent with a Python sandbox", () => {
  it("keeps variables, calls tools by keyword and by position, and ends by final_answer", async () => {
    const { result, told } = await run([
      python("import math\nx = int(add(a=40, b=1))\nprint(x)"),
      python("y = int(add(x, 1))\nmath.sqrt(y * y)"),
      python("final_answer({'y': y})\nprint('never')"),
    ]);
    expect(told).toEqual(["Output:\n41", "Output:\n42.0"]);
    expect(result.content).toBe('{"y":42}');
    expect(result.toolResults.map(({ toolName, content }) => `${toolName} ${content}`)).toEqual([
      "add 41",
      "code_interpreter 41",
      "add 42",
      "code_interpreter 42.0",
      "code_interpreter (no output)",
    ]);
  });

  it("tells the model what failed, with the line, and goes on with the variables", async () => {
    const { told, result } = await run([python("z = 7\nprint('before')\n1 / 0"), python("z"), "7"]);
    expect(told[0]).toContain("before");
    expect(told[0]).toContain("ZeroDivisionError");
    expect(told[0]).toContain("1 / 0");
    expect(told[1]).toBe("Output:\n7");
    expect(result.content).toBe("7");
  });

  it("ends a program without end, and goes on", async () => {
    const { told } = await run([python("n = 1\nwhile True: pass"), python("'n' in globals()"), "done"]);
    expect(told[0]).toMatch(/timed out/i);
    expect(told[1]).toMatch(/^Output:\n(?:True|False)$/);
  });

  it("makes calls at once, and catches the failure of one", async () => {
    const code = [
      "import asyncio",
      "r = await asyncio.gather(*[add(i, i) for i in range(4)])",
      "print(r)",
      "try:",
      "    add('x', 1)",
      "except Exception as e:",
      "    print('caught')",
    ].join("\n");
    const { told } = await run([python(code), "done"]);
    expect(told[0]).toBe("Output:\n['0', '2', '4', '6']\ncaught");
  });

  it("stops when the run is aborted in a program", async () => {
    const started = performance.now();
    const { result } = await run([python("import time\nwhile True: time.sleep(0.1)")], {
      signal: AbortSignal.timeout(1_000),
    });
    expect(result.metadata.stopReason).toBe("aborted");
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});

describe("a CodeAct agent with a JavaScript sandbox", () => {
  it("keeps variables, calls tools, and ends by final_answer", async () => {
    const { result, told } = await run([
      js("const x = Number(add({ a: 40, b: 1 })); console.log(x)"),
      js("Number(add(x, 1))"),
      js("const total = x + 1; final_answer(total); console.log('never')"),
    ]);
    expect(told).toEqual(["Output:\n41", "Output:\n42"]);
    expect(result.content).toBe("42");
  });
});

describe("the code interpreter", () => {
  it.each([
    [{ code: "print(6 * 7)" }, "42"],
    [{ code: "import sys\nprint('out')\nprint('err', file=sys.stderr)\n'value'" }, "out\nerr\n'value'"],
    [{ code: "console.log(6 * 7)", language: "javascript" }, "42"],
  ])("runs %j", async (params, content) => {
    expect(await interpreter.execute(params)).toMatchObject({ success: true, content });
  });

  it("shows tracebacks", async () => {
    const result = await interpreter.execute({ code: "def f():\n    return 1 / 0\nf()" });
    expect(result.success).toBe(false);
    expect(result.content).toMatch(/line 2.*ZeroDivisionError: division by zero/s);
  });
});
