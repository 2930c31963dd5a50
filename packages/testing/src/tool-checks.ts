import assert from "node:assert/strict";
import { inspect } from "node:util";
import {
  type BaseTool,
  type JsonSchema,
  jsonSchemaOf,
  ToolExecutor,
  type ToolResult,
} from "@openjarvis/core";
import { type Check, deepFreeze, settled } from "./check.js";
import { deepCopy } from "./deep-copy.js";
import { notJson } from "./plain-json.js";

/** Parameters of a call and what it must bring: the exact text, a pattern, or a function that throws when unhappy. */
export type ToolCase = readonly [
  params: Record<string, unknown>,
  expected: string | RegExp | ((result: ToolResult) => void),
];

/** Options of {@link toolChecks}. */
export interface ToolCheckOptions {
  /** Parameters of a call that succeeds. */
  valid: Record<string, unknown>;
  /** Parameters that are refused. @default [] */
  invalid?: readonly Record<string, unknown>[];
  /** Calls with what they must bring; they are also run all at once. @default [] */
  cases?: readonly ToolCase[];
  /** Parameters of a call that takes long, for the check that it can be cancelled. @default valid */
  slow?: Record<string, unknown>;
  /** Seconds in which a cancelled call must have settled. @default 2 */
  abortSeconds?: number;
  /** Most characters a result may have. @default 1000000 */
  maxResultChars?: number;
}

/** A tool, or what makes one; a function is called once for each check. */
export type ToolSource = BaseTool | (() => BaseTool | Promise<BaseTool>);

/**
 * What every tool must keep: it describes itself so that a model can call it, answers in the one form, refuses wrong
 * arguments with a result that names them, never throws, can be cancelled, and shares no state between calls.
 */
export function toolChecks(source: ToolSource, options: ToolCheckOptions): Check[] {
  const { valid, invalid = [], cases = [], slow = valid, abortSeconds = 2 } = options;
  const check = (name: string, body: (tool: BaseTool) => Promise<void> | void): Check => ({
    name,
    run: async () => body(typeof source === "function" ? await source() : source),
  });
  return [
    check("has a name that a model can call", (tool) => {
      const { name } = tool.spec;
      assert.match(name, /^[a-z][a-z0-9_]{0,63}$/);
      assert.equal(tool.toolId, name, "toolId and spec.name differ");
    }),
    check("describes itself and every parameter", (tool) => {
      assert.notEqual(tool.spec.description.trim(), "", "the tool has no description");
      const bare = undescribed(jsonSchemaOf(tool.spec.parameters), "");
      assert.deepEqual(bare, [], `parameters without a description: ${bare.join(", ")}`);
    }),
    check("states its parameters as JSON Schema of type object", (tool) => {
      const { parameters } = tool.toOpenAIFunction().function;
      assert.equal(parameters.type, "object");
      assert.deepEqual(notJson(parameters, "parameters"), [], "the schema is not plain JSON");
      const { properties = {}, required = [] } = jsonSchemaOf(tool.spec.parameters);
      for (const name of required)
        assert.ok(name in properties, `required parameter ${name} is not described`);
      assert.deepEqual(
        tool.toOpenAIFunction(),
        tool.toOpenAIFunction(),
        "the spec differs each time it is read",
      );
    }),
    check("answers a valid call", async (tool) => {
      const result = await tool.execute(deepCopy(valid));
      assertResult(tool, result, options);
      assert.ok(result.success, `a valid call failed: ${result.content}`);
    }),
    ...cases.map(([params, expected]) =>
      check(`answers ${shown(params)} as expected`, async (tool) => {
        const result = await call(tool, params);
        assertResult(tool, result, options);
        assertExpected(result, expected);
      }),
    ),
    ...invalid.map((params) =>
      check(`refuses ${shown(params)}`, async (tool) =>
        assertRefused(tool, await call(tool, params), options),
      ),
    ),
    check("refuses a parameter of the wrong type and names it", async (tool) => {
      for (const [name, value] of wrongTypes(jsonSchemaOf(tool.spec.parameters))) {
        const result = await call(tool, { ...valid, [name]: value });
        assertRefused(tool, result, options);
        assert.ok(result.content.includes(name), `${shown({ [name]: value })}: ${result.content}`);
      }
    }),
    check("never throws", async (tool) => {
      const odd = [
        {},
        { "": null },
        { constructor: 1, toString: [] },
        JSON.parse('{"__proto__":{"polluted":1}}'),
      ];
      for (const params of [...odd, ...invalid])
        assertResult(tool, await tool.execute(deepCopy(params)), options);
      assert.equal(({} as Record<string, unknown>).polluted, undefined, "Object.prototype was polluted");
    }),
    check("leaves its parameters as they are", async (tool) => {
      const result = await tool.execute(deepFreeze(deepCopy(valid)));
      assert.ok(result.success, `a call with frozen parameters failed: ${result.content}`);
    }),
    check("settles when it was cancelled before the call", async (tool) => {
      const signal = AbortSignal.abort(new Error("cancelled by the check"));
      const result = await settled(
        tool.execute(deepCopy(slow), { signal }),
        abortSeconds,
        "The cancelled call",
      );
      assertResult(tool, result, options);
    }),
    check("settles when it is cancelled during the call", async (tool) => {
      const controller = new AbortController();
      const running = tool.execute(deepCopy(slow), { signal: controller.signal });
      setTimeout(() => controller.abort(new Error("cancelled by the check")), 20);
      assertResult(tool, await settled(running, abortSeconds + 0.02, "The cancelled call"), options);
    }),
    check("keeps calls that run at once apart", async (tool) => {
      const calls: readonly ToolCase[] =
        cases.length > 0 ? cases : [[valid, (result) => assert.ok(result.success)]];
      const all = [...calls, ...calls.toReversed(), ...calls];
      const results = await Promise.all(all.map(([params]) => call(tool, params)));
      for (const [index, result] of results.entries()) {
        const expected = all[index]?.[1];
        if (expected !== undefined) assertExpected(result, expected);
      }
    }),
  ];
}

/** Calls the tool as an agent does: arguments are coerced and validated, whatever `execute` was overridden with. */
function call(tool: BaseTool, params: Record<string, unknown>): Promise<ToolResult> {
  const executor = new ToolExecutor({ tools: [tool], confirm: () => true });
  return executor.execute({ name: tool.spec.name, arguments: deepCopy(params) });
}

function assertResult(
  tool: BaseTool,
  result: ToolResult,
  { maxResultChars = 1_000_000 }: ToolCheckOptions,
): void {
  assert.equal(typeof result?.content, "string", "a result must have a text in content");
  assert.equal(typeof result.success, "boolean", "a result must say whether it is a success");
  assert.equal(result.toolName, tool.spec.name);
  assert.ok(result.latencySeconds >= 0 && result.costUsd >= 0, "latency and cost must be numbers, 0 or more");
  assert.ok(result.content.length <= maxResultChars, `the result has ${result.content.length} characters`);
  assert.deepEqual(notJson(result, "result"), [], "the result is not plain JSON");
}

function assertRefused(tool: BaseTool, result: ToolResult, options: ToolCheckOptions): void {
  assertResult(tool, result, options);
  assert.equal(result.success, false, `the call was not refused: ${result.content}`);
  assert.notEqual(result.content.trim(), "", "the refusal does not say why");
}

function assertExpected(result: ToolResult, expected: ToolCase[1]): void {
  if (typeof expected === "function") expected(result);
  else if (typeof expected === "string") assert.equal(result.content, expected);
  else assert.match(result.content, expected);
}

function undescribed(schema: JsonSchema, path: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const here = path === "" ? name : `${path}.${name}`;
    const bare = (property.description ?? "").trim() === "" ? [here] : [];
    return [...bare, ...undescribed(property, here)];
  });
}

/** A value of the wrong type for each parameter whose schema leaves no doubt; none of them has a safe reading. */
function wrongTypes(schema: JsonSchema): [string, unknown][] {
  const wrong: Record<string, unknown> = {
    string: { not: "a text" },
    number: "seven",
    integer: "seven",
    boolean: "maybe",
  };
  return Object.entries(schema.properties ?? {}).flatMap(([name, { type }]): [string, unknown][] =>
    typeof type === "string" && type in wrong ? [[name, wrong[type]]] : [],
  );
}

function shown(params: Record<string, unknown>): string {
  const text = inspect(params, { breakLength: Number.POSITIVE_INFINITY, maxStringLength: 60 });
  return text.length <= 100 ? text : `${text.slice(0, 99)}…`;
}
