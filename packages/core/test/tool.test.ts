import { describe, expect, it } from "vitest";
import {
  BaseTool,
  defineTool,
  failedResult,
  JarvisError,
  type ToolContext,
  type ToolResult,
  type ToolSpec,
} from "../src/index.js";

/** The tool of the documents, which has the last word on its result. */
class MyTool extends BaseTool {
  readonly toolId = "my_tool";

  get spec(): ToolSpec {
    return {
      name: "my_tool",
      description: "A custom tool that does something useful.",
      parameters: {
        type: "object",
        properties: { input: { type: "string", description: "The input to process." } },
        required: ["input"],
      },
      category: "custom",
    };
  }

  override async execute(params: Record<string, unknown>): Promise<ToolResult> {
    const value = params.input ?? "";
    return {
      ...failedResult("my_tool", `Processed: ${value}`, "OJ_TOOL_FAILED"),
      success: true,
      metadata: {},
    };
  }
}

const parameters = {
  type: "object",
  properties: { text: { type: "string" }, times: { type: "integer" } },
  required: ["text"],
} as const;

class EchoTool extends BaseTool {
  readonly toolId = "echo";
  readonly spec: ToolSpec = { name: "echo", description: "Repeats.", parameters };

  protected override run({ text, times = 1 }: { text: string; times?: number }): string {
    return text.repeat(times);
  }
}

/** A tool without parameters that returns or throws what it is told to. */
function toolThat(run: () => unknown): BaseTool {
  return defineTool({ name: "odd", description: "d", run });
}

describe("BaseTool.execute", () => {
  it("coerces, validates, runs and times", async () => {
    expect(await new EchoTool().execute({ text: "ab", times: "2" })).toEqual({
      toolName: "echo",
      content: "abab",
      success: true,
      usage: {},
      costUsd: 0,
      latencySeconds: expect.any(Number),
      metadata: {},
    });
  });

  it("fails with the field when the parameters do not fit", async () => {
    const result = await new EchoTool().execute({ txt: "a" });
    expect(result).toMatchObject({ success: false, metadata: { code: "OJ_TOOL_ARGUMENTS" } });
    expect(result.content).toBe(
      'missing required parameter "text". The tool takes: text (string, required), times (integer).',
    );
  });

  it("takes no parameters and no context", async () => {
    let seen: ToolContext | undefined;
    const tool = defineTool({
      name: "now",
      description: "d",
      run: (params, ctx) => {
        expect(params).toEqual({});
        seen = ctx;
        return "ok";
      },
    });
    expect(await tool.execute()).toMatchObject({ content: "ok", success: true });
    expect(seen).toMatchObject({ callId: "", agentId: "", runId: "" });
    expect(seen?.signal.aborted).toBe(false);
    expect(seen?.emit("nobody listens")).toBeUndefined();
  });

  it("hands the given context on", async () => {
    const { signal } = new AbortController();
    const emitted: string[] = [];
    const tool = defineTool({
      name: "t",
      description: "d",
      run: (_params, ctx) => {
        ctx.emit("working");
        return `${ctx.callId} ${ctx.agentId} ${ctx.runId} ${ctx.signal === signal}`;
      },
    });
    const result = await tool.execute(
      {},
      { signal, callId: "c", agentId: "a", runId: "r", emit: (m) => emitted.push(m) },
    );
    expect(result.content).toBe("c a r true");
    expect(emitted).toEqual(["working"]);
  });

  it.each<[string, unknown, string]>([
    ["text", "a", "a"],
    ["the empty text", "", ""],
    ["nothing", undefined, ""],
    ["null", null, ""],
    ["a number", 21.5, "21.5"],
    ["a truth value", false, "false"],
    ["a big integer", 12345678901234567890n, "12345678901234567890"],
    ["a list", [1, "a"], '[1,"a"]'],
    ["an object", { a: { b: 1n } }, '{"a":{"b":"1"}}'],
    ["a date", new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ["an object whose content is no text", { content: 5 }, '{"content":5}'],
    ["a promise", Promise.resolve("later"), "later"],
    ["a symbol", Symbol("s"), "Symbol(s)"],
  ])("makes text of %s", async (_name, output, content) => {
    expect(await toolThat(() => output).execute()).toMatchObject({ success: true, content });
  });

  it("keeps the facts a tool gives beside its text", async () => {
    const output = { content: "a", usage: { total_tokens: 5 }, costUsd: 0.01, metadata: { path: "/x" } };
    expect(await toolThat(() => output).execute()).toMatchObject({ success: true, ...output });
  });

  it("gives a failed output a code, unless it has one", async () => {
    const failed = await toolThat(() => ({ content: "no", success: false })).execute();
    expect(failed).toMatchObject({ success: false, metadata: { code: "OJ_TOOL_FAILED" } });
    const coded = await toolThat(() => ({
      content: "no",
      success: false,
      metadata: { code: "OJ_HOME" },
    })).execute();
    expect(coded.metadata.code).toBe("OJ_HOME");
  });

  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const throws = (value: unknown) => () => {
    throw value;
  };
  it.each<[string, () => unknown, RegExp]>([
    ["an error", throws(new Error("boom")), /^boom$/],
    [
      "an error with a cause",
      throws(new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") })),
      /^fetch failed: ECONNREFUSED$/,
    ],
    ["an error without a message", throws(new RangeError()), /^RangeError$/],
    ["a text", throws("bad"), /^bad$/],
    ["undefined", throws(undefined), /^unknown error$/],
    ["an object without a prototype", throws(Object.create(null)), /^unknown error$/],
    ["a rejection", () => Promise.reject(new Error("later")), /^later$/],
    ["a circular output", () => circular, /circular/],
    [
      "an output whose getter throws",
      () => Object.defineProperty({}, "content", { get: throws(new Error("getter")) }),
      /^getter$/,
    ],
    ["an output whose toJSON throws", () => ({ toJSON: throws(new Error("toJSON")) }), /^toJSON$/],
    [
      "a stack overflow",
      function deep(): unknown {
        return deep();
      },
      /call stack/,
    ],
  ])("turns %s into a failed result", async (_name, run, content) => {
    expect(await toolThat(run).execute()).toMatchObject({
      success: false,
      toolName: "odd",
      content: expect.stringMatching(content),
      metadata: { code: "OJ_TOOL_FAILED" },
    });
  });

  it("keeps code and details of a JarvisError", async () => {
    const tool = toolThat(throws(new JarvisError("OJ_HOME", "no home", { details: { path: "/x" } })));
    expect(await tool.execute()).toMatchObject({
      content: "no home",
      success: false,
      metadata: { code: "OJ_HOME", path: "/x" },
    });
  });

  it("does not throw for a broken spec, a broken schema or circular parameters", async () => {
    class Broken extends BaseTool {
      readonly toolId = "broken";
      get spec(): ToolSpec {
        throw new Error("no spec");
      }
    }
    expect(await new Broken().execute()).toMatchObject({
      toolName: "broken",
      success: false,
      content: "no spec",
    });
    class Schemaless extends BaseTool {
      readonly toolId = "s";
      readonly spec = { name: "s", description: "d", parameters: { type: "string" } };
    }
    expect(await new Schemaless().execute()).toMatchObject({
      success: false,
      metadata: { code: "OJ_TOOL_SPEC" },
    });
    const tool = toolThat(() => "fine");
    expect(await tool.execute(circular)).toMatchObject({ success: true, content: "fine" });
    expect(await new EchoTool().execute(null as never)).toMatchObject({ success: false });
  });

  it("hands on an output of any size", async () => {
    const huge = "x".repeat(20_000_000);
    expect((await toolThat(() => huge).execute()).content.length).toBe(huge.length);
  });

  it("says so when a tool implements neither run nor execute", async () => {
    class Empty extends BaseTool {
      readonly toolId = "empty";
      readonly spec = { name: "empty", description: "d" };
    }
    expect(await new Empty().execute()).toMatchObject({ success: false, metadata: { code: "OJ_INTERNAL" } });
  });

  it("lets a tool override it, as the documents' example does", async () => {
    expect(await new MyTool().execute({ input: "data" })).toMatchObject({
      toolName: "my_tool",
      content: "Processed: data",
      success: true,
    });
  });
});
