import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import {
  type AgentClass,
  AgentRegistry,
  type BaseAgent,
  BaseTool,
  defineTool,
  EngineRegistry,
  InferenceEngine,
  type JarvisError,
  MemoryRegistry,
  Registry,
  registryKinds,
  ToolRegistry,
} from "../src/index.js";
import { withOwner } from "../src/registry.js";
import { deferred } from "./support.js";

class EchoTool extends BaseTool {
  readonly toolId = "echo";
  readonly spec = { name: "echo", description: "Repeats." };
}

function clear(): void {
  for (const kind of registryKinds) new Registry(kind).clear();
}
beforeEach(clear);
afterEach(clear);

function caught(action: () => unknown): JarvisError {
  try {
    action();
  } catch (error) {
    return error as JarvisError;
  }
  throw new Error("Nothing was thrown.");
}

describe("Registry", () => {
  it("registers with a plain call, which hands the value back", () => {
    const returned = ToolRegistry.register("echo")(EchoTool);
    expect(returned).toBe(EchoTool);
    expectTypeOf(returned).toEqualTypeOf<typeof EchoTool>();
    expect(ToolRegistry.get("echo")).toBe(EchoTool);
    expect(ToolRegistry.contains("echo")).toBe(true);
    expect(ToolRegistry.contains("toString")).toBe(false);
  });

  it("keeps the order of registration, aliases included", () => {
    const classes = ["simple", "orchestrator", "native_react"].map(() => class {} as unknown as AgentClass);
    const [simple, orchestrator, react] = classes as [AgentClass, AgentClass, AgentClass];
    AgentRegistry.registerValue("simple", simple);
    AgentRegistry.registerValue("orchestrator", orchestrator);
    AgentRegistry.registerValue("native_react", react);
    AgentRegistry.registerValue("react", react);
    expect(AgentRegistry.keys()).toEqual(["simple", "orchestrator", "native_react", "react"]);
    expect(AgentRegistry.items().at(-1)).toEqual(["react", react]);
  });

  it("takes the same value twice and stays in order", () => {
    ToolRegistry.registerValue("a", EchoTool);
    ToolRegistry.registerValue("b", EchoTool);
    ToolRegistry.registerValue("a", EchoTool);
    expect(ToolRegistry.keys()).toEqual(["a", "b"]);
  });

  it("refuses another value under a key and names both packages", async () => {
    await withOwner("@acme/one", async () => ToolRegistry.registerValue("echo", EchoTool));
    const second = withOwner("@acme/two", async () =>
      ToolRegistry.registerValue("echo", class extends EchoTool {}),
    );
    await expect(second).rejects.toMatchObject({
      code: "OJ_DUPLICATE_ID",
      message: 'The registry of tools already has "echo": first from @acme/one, now from @acme/two.',
      details: { kind: "tools", key: "echo", owners: ["@acme/one", "@acme/two"] },
    });
    expect(ToolRegistry.get("echo")).toBe(EchoTool);
  });

  it("says so when a duplicate was registered by hand", () => {
    ToolRegistry.registerValue("echo", EchoTool);
    const error = caught(() => ToolRegistry.registerValue("echo", class extends EchoTool {}));
    expect(error.message).toContain("first from code that registered it directly");
  });

  it.each([["", 5, undefined, null]])("refuses the key %j", (key) => {
    expect(caught(() => ToolRegistry.registerValue(key as string, EchoTool)).code).toBe("OJ_OPTION");
  });

  it("names what is there when a key is not", () => {
    ToolRegistry.registerValue("calculator", EchoTool);
    ToolRegistry.registerValue("think", EchoTool);
    const error = caught(() => ToolRegistry.get("calculater"));
    expect(error.code).toBe("OJ_NOT_REGISTERED");
    expect(error.message).toBe('The registry of tools has no "calculater". Did you mean "calculator"?');
    expect(error.hint).toBe("It has: calculator, think.");
    expect(caught(() => EngineRegistry.get("ollama")).hint).toMatch(/Import the package/);
  });

  it("creates from a class, a function, an arrow function and an object", () => {
    const finished = defineTool({ name: "done", description: "d", run: () => "" });
    ToolRegistry.registerValue("class", EchoTool);
    ToolRegistry.registerValue("arrow", () => finished);
    ToolRegistry.registerValue("function", function make() {
      return finished;
    });
    ToolRegistry.registerValue("object", finished);
    expect(ToolRegistry.create("class")).toBeInstanceOf(EchoTool);
    for (const key of ["arrow", "function", "object"]) expect(ToolRegistry.create(key)).toBe(finished);
    expect(() => ToolRegistry.create("none")).toThrow(/has no "none"/);
  });

  it("hands arguments on and gives the type of what it creates", () => {
    class Engine extends InferenceEngine {
      readonly engineId = "x";
      constructor(readonly options: { host: string }) {
        super();
      }
      async *stream() {}
    }
    EngineRegistry.registerValue("x", Engine);
    expect(EngineRegistry.create("x", { host: "h" })).toMatchObject({ options: { host: "h" } });
    const creators = {
      engine: () => EngineRegistry.create("x"),
      tool: () => ToolRegistry.create("x"),
      agent: () => AgentRegistry.create("x"),
    };
    expectTypeOf(creators.engine).returns.toEqualTypeOf<InferenceEngine>();
    expectTypeOf(creators.tool).returns.toEqualTypeOf<BaseTool>();
    expectTypeOf(creators.agent).returns.toEqualTypeOf<BaseAgent>();
  });

  it("keeps the kinds apart", () => {
    ToolRegistry.registerValue("sqlite", EchoTool);
    expect(MemoryRegistry.contains("sqlite")).toBe(false);
    MemoryRegistry.registerValue("sqlite", () => ({}));
    ToolRegistry.clear();
    expect(MemoryRegistry.keys()).toEqual(["sqlite"]);
    expect(ToolRegistry.keys()).toEqual([]);
  });
});

describe("withOwner", () => {
  it("attributes what is registered while a package loads, and nothing after", async () => {
    await withOwner("@acme/tool", async () => {
      await Promise.resolve();
      ToolRegistry.registerValue("a", EchoTool);
    });
    ToolRegistry.registerValue("b", EchoTool);
    expect([ToolRegistry.ownerOf("a"), ToolRegistry.ownerOf("b"), ToolRegistry.ownerOf("c")]).toEqual([
      "@acme/tool",
      "",
      "",
    ]);
  });

  it("keeps packages apart that load at the same time", async () => {
    const gates = [deferred(), deferred()] as const;
    const loads = gates.map((gate, index) =>
      withOwner(`@acme/${index}`, async () => {
        await gate.promise;
        ToolRegistry.registerValue(`tool_${index}`, EchoTool);
      }),
    );
    gates[0].resolve();
    await loads[0];
    gates[1].resolve();
    await loads[1];
    ToolRegistry.registerValue("later", EchoTool);
    expect(ToolRegistry.keys().map((key) => ToolRegistry.ownerOf(key))).toEqual(["@acme/0", "@acme/1", ""]);
  });

  it("ends with a load that fails", async () => {
    await expect(
      withOwner("@acme/bad", async () => {
        throw new Error("no");
      }),
    ).rejects.toThrow("no");
    ToolRegistry.registerValue("a", EchoTool);
    expect(ToolRegistry.ownerOf("a")).toBe("");
  });
});
