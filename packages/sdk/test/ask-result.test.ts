import { describe, expect, it } from "vitest";
import { type AskResult, askResultToJson } from "../src/index.js";

const result: AskResult = {
  content: "51",
  usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 },
  toolResults: [
    {
      toolName: "calculator",
      content: "51.0",
      success: true,
      usage: { promptTokens: 4 },
      costUsd: 0.5,
      latencySeconds: 0.25,
      metadata: { sizeBytes: 3, arguments: { camelKey: 1, snake_key: { innerKey: 2 } } },
    },
  ],
  turns: 2,
  model: "m",
  engine: "rules",
  engineReason: "rules: why",
  agent: "orchestrator",
  stopReason: "final",
  metadata: {
    usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 },
    stopReason: "final",
    model: "m",
    engine: "rules",
    inferenceCalls: 2,
    runId: "r",
    warnings: ["w"],
  },
};

describe("a result as JSON", () => {
  it("has snake_case keys, and leaves the names of others as they are", () => {
    expect(askResultToJson(result)).toEqual({
      content: "51",
      turns: 2,
      tool_results: [
        {
          tool_name: "calculator",
          content: "51.0",
          success: true,
          usage: { prompt_tokens: 4 },
          cost_usd: 0.5,
          latency_seconds: 0.25,
          metadata: { size_bytes: 3, arguments: { camelKey: 1, snake_key: { innerKey: 2 } } },
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
      model: "m",
      engine: "rules",
      engine_reason: "rules: why",
      agent: "orchestrator",
      stop_reason: "final",
      metadata: {
        usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
        stop_reason: "final",
        model: "m",
        engine: "rules",
        inference_calls: 2,
        run_id: "r",
        warnings: ["w"],
      },
    });
  });

  it("can always be written, whatever a tool put into its metadata", () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const throwing = {
      toJSON() {
        throw new Error("no");
      },
    };
    const metadata = {
      circle,
      throwing,
      big: 12n,
      map: new Map([["k", new Set([1])]]),
      error: new TypeError("bad"),
      date: new Date(0),
      code: () => 1,
      symbol: Symbol("s"),
      list: [1, undefined, () => 1],
      none: undefined,
    };
    const [tool] = result.toolResults;
    if (tool === undefined) throw new Error("no tool");
    const json = askResultToJson({ ...result, toolResults: [{ ...tool, metadata }] });
    const written = JSON.parse(JSON.stringify(json)) as { tool_results: { metadata: object }[] };
    expect(written.tool_results[0]?.metadata).toEqual({
      circle: { self: "[not shown: nested in itself or too deep]" },
      throwing: "[not shown: no]",
      big: "12",
      map: { k: [1] },
      error: "bad",
      date: "1970-01-01T00:00:00.000Z",
      list: [1, null, null],
    });
  });
});
