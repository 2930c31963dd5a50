import { type BaseTool, defineTool, type ToolRequest } from "@openjarvis/core";
import { describe, expect, it } from "vitest";
import { add, block, outcomes, setup, TestInterpreter, told } from "./setup.js";

describe("a tool in a program", () => {
  it.each([
    ["by position, required parameters first", "await add(40, 2)", "'42'"],
    ["without the optional one", "await add(41)", "'42'"],
    ["with an object of arguments", "await add({ a: 40, b: 2 })", "'42'"],
    ["with keywords behind positions", "await add(40, { b: 2 })", "'42'"],
  ])("is called %s", async (_how, code, value) => {
    const { agent, engine } = setup([block(code), "done"]);
    const result = await agent.run("go");
    expect(told(engine)).toBe(`Output:\n${value}`);
    expect(outcomes(result)).toEqual(["add:42", `code_interpreter:${value}`]);
  });

  it.each([
    ["too many values", "await add(1, 2, 3)", "add() takes (a, b), but 3 values were given"],
    ["a parameter twice", "await add(1, { a: 2 })", "add() got two values for a"],
    ["a wrong name", "await add({ c: 2 })", "a"],
    ["a wrong type", "await add('x')", "a"],
  ])("throws for %s", async (_what, code, message) => {
    const { agent, engine } = setup([block(code), "done"]);
    const result = await agent.run("go");
    expect(told(engine)).toContain(message);
    expect(result.toolResults.at(-1)?.success).toBe(false);
  });

  it("is caught by the program when it fails", async () => {
    const { agent, engine } = setup([block("try { await add('x') } catch (e) { print('caught') }"), "done"]);
    await agent.run("go");
    expect(told(engine)).toBe("Output:\ncaught");
  });

  it("publishes events within those of its program", async () => {
    const { agent, events } = setup([block("await add(1)"), "done"]);
    await agent.run("go");
    const order = events.list
      .filter(({ type }) => type.startsWith("TOOL_CALL"))
      .map(({ type, data }) => `${type} ${(data as { tool: string }).tool}`);
    expect(order).toEqual([
      "TOOL_CALL_START code_interpreter",
      "TOOL_CALL_START add",
      "TOOL_CALL_END add",
      "TOOL_CALL_END code_interpreter",
    ]);
  });

  it("asks one question at a time, and a denial is an exception in the program", async () => {
    const asked: string[] = [];
    let open = 0;
    let most = 0;
    const risky: BaseTool = defineTool({
      name: "risky",
      description: "Needs a person.",
      parameters: { type: "object", properties: { n: { type: "number", description: "n" } } } as const,
      requiresConfirmation: true,
      run: ({ n = 0 }) => String(n),
    });
    const confirm = async ({ tool, arguments: args }: ToolRequest) => {
      open += 1;
      most = Math.max(most, open);
      asked.push(`${tool} ${String(args.n)}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      open -= 1;
      return args.n === 1;
    };
    const interpreter = new TestInterpreter();
    const code =
      "r = await Promise.allSettled([risky(1), risky(2)])\nr.map(x => x.value ?? x.reason.message).join(' / ')";
    const { agent, engine } = setup([block(code), "done"], {
      interpreter,
      confirm,
      tools: [interpreter, risky],
    });
    await agent.run("go");
    expect(asked).toEqual(["risky 1", "risky 2"]);
    expect(most).toBe(1);
    expect(told(engine)).toContain("1 / ");
    expect(told(engine)).toContain("denied by user");
  });

  it("that is not allowed in a run is no function", async () => {
    const { agent, engine } = setup([block("typeof add"), "done"]);
    await agent.run("go", { tools: ["code_interpreter"] });
    expect(told(engine)).toBe("Output:\n'undefined'");
  });

  it("is refused by a policy, and so is the program itself", async () => {
    const noAdd = setup([block("await add(1)"), "done"], {
      policy: ({ tool }) => (tool === "add" ? "deny" : "allow"),
    });
    expect(outcomes(await noAdd.agent.run("go"))).toEqual([
      "add!OJ_TOOL_DENIED",
      "code_interpreter!OJ_TOOL_FAILED",
    ]);
    const noCode = setup([block("print(1)"), "done"], { policy: () => "deny" });
    expect(outcomes(await noCode.agent.run("go"))).toEqual(["code_interpreter!OJ_TOOL_DENIED"]);
    expect(noCode.interpreter.sessions).toHaveLength(0);
  });

  it("runs at most `concurrency` at once", async () => {
    let open = 0;
    let most = 0;
    const slow = defineTool({
      name: "slow-tool",
      description: "Waits.",
      run: async () => {
        open += 1;
        most = Math.max(most, open);
        await new Promise((resolve) => setTimeout(resolve, 5));
        open -= 1;
        return "ok";
      },
    });
    const interpreter = new TestInterpreter();
    const code = "(await Promise.all(Array.from({ length: 12 }, () => slow_tool()))).length";
    const { agent, engine } = setup([block(code), "done"], {
      interpreter,
      tools: [interpreter, slow],
      concurrency: 3,
      loopGuard: { enabled: false },
    });
    await agent.run("go");
    expect(told(engine)).toBe("Output:\n12");
    expect(most).toBe(3);
  });

  it("ends with a program that runs out of time", async () => {
    let aborted = false;
    const wait = defineTool({
      name: "wait",
      description: "Waits for ever.",
      run: (_params, { signal }) =>
        new Promise<string>((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            aborted = true;
            reject(signal.reason);
          });
        }),
    });
    const interpreter = new TestInterpreter(["python"], 50);
    const { agent, events } = setup([block("await wait()"), "done"], {
      interpreter,
      tools: [interpreter, wait],
    });
    const result = await agent.run("go");
    expect(aborted).toBe(true);
    expect(outcomes(result).toSorted()).toEqual(["code_interpreter!OJ_TOOL_TIMEOUT", "wait!OJ_ABORTED"]);
    expect(events.of("TOOL_CALL_END")).toHaveLength(2);
    events.assertBalanced();
  });

  it("gives a program the whole of a long result", async () => {
    const long = defineTool({ name: "long", description: "Long.", run: () => "x".repeat(50_000) });
    const interpreter = new TestInterpreter();
    const { agent, engine } = setup([block("(await long()).length"), "done"], {
      interpreter,
      tools: [interpreter, long, add],
    });
    await agent.run("go");
    expect(told(engine)).toBe("Output:\n50000");
  });
});
