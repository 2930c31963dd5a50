import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type JsonSchema, jsonSchemaOf, type StandardSchema, validateParameters } from "../src/index.js";

function caught(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}

/** A hand-made Standard Schema; `jsonSchema` is the extension that version 1 alone does not have. */
function standardSchema(jsonSchema?: () => Record<string, unknown>): StandardSchema {
  return {
    "~standard": {
      version: 1,
      vendor: "hand-made",
      validate: (value) => ({ value }),
      ...(jsonSchema === undefined ? {} : { jsonSchema: { input: jsonSchema } }),
    },
  };
}

describe("jsonSchemaOf", () => {
  it("hands a plain JSON Schema on as it is", () => {
    const schema: JsonSchema = { type: "object", properties: { a: { type: "string" } }, "x-extra": 1 };
    expect(jsonSchemaOf(schema)).toBe(schema);
  });

  it.each([[undefined], [{}]])(
    "makes %j an object without properties, which every engine takes",
    (schema) => {
      expect(jsonSchemaOf(schema)).toEqual({ type: "object", properties: {} });
    },
  );

  it("takes an object schema that leaves its type out", () => {
    const schema = { properties: { a: {} } };
    expect(jsonSchemaOf(schema)).toBe(schema);
  });

  it("converts zod with descriptions, and does not require what has a default", () => {
    const schema = z.object({
      query: z.string().describe("Search query"),
      top_k: z.int().min(1).default(5),
      mode: z.enum(["fast", "exact"]).optional(),
    });
    expect(jsonSchemaOf(schema)).toEqual({
      type: "object",
      properties: {
        query: { type: "string", description: "Search query" },
        top_k: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 5 },
        mode: { type: "string", enum: ["fast", "exact"] },
      },
      required: ["query"],
    });
    expect(jsonSchemaOf(schema)).toBe(jsonSchemaOf(schema));
  });

  it("asks a Standard Schema for draft 2020-12 in input mode", () => {
    const asked: unknown[] = [];
    const schema: StandardSchema = {
      "~standard": {
        version: 1,
        vendor: "hand-made",
        validate: (value) => ({ value }),
        jsonSchema: {
          input: (options) => {
            asked.push(options);
            return { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object" };
          },
        },
      },
    };
    expect(jsonSchemaOf(schema)).toEqual({ type: "object" });
    expect(asked).toEqual([{ target: "draft-2020-12" }]);
  });

  it("takes a schema that is a function, as ArkType's are", () => {
    const schema = Object.assign(
      () => {},
      standardSchema(() => ({ type: "object", properties: {} })),
    );
    expect(jsonSchemaOf(schema)).toEqual({ type: "object", properties: {} });
  });

  it("refuses a Standard Schema without JSON Schema and says what to use", () => {
    expect(caught(() => jsonSchemaOf(standardSchema()))).toMatchObject({
      code: "OJ_TOOL_SPEC",
      message: "The hand-made schema of a tool's parameters cannot give a JSON Schema.",
      hint: expect.stringContaining("zod 4.2"),
    });
  });

  it("refuses what JSON Schema cannot say, with the library's reason", () => {
    expect(caught(() => jsonSchemaOf(z.object({ when: z.date() })))).toMatchObject({
      code: "OJ_TOOL_SPEC",
      message: expect.stringContaining("Date cannot be represented"),
      cause: expect.any(Error),
    });
  });

  it.each<[string, () => unknown]>([
    ["text", () => jsonSchemaOf({ type: "string" })],
    ["a list", () => jsonSchemaOf(z.array(z.string()))],
    [
      "a choice of objects",
      () => jsonSchemaOf(z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])),
    ],
  ])("refuses a schema of %s", (_name, action) => {
    expect(caught(action)).toMatchObject({
      code: "OJ_TOOL_SPEC",
      message: expect.stringContaining("type object"),
    });
  });
});

describe("validateParameters", () => {
  it("coerces before zod validates, and hands out what zod makes of it", async () => {
    const schema = z.object({ n: z.int(), text: z.string().trim(), limit: z.number().default(5) });
    expect(await validateParameters(schema, { n: "5", text: " a ", limit: null })).toEqual({
      ok: true,
      value: { n: 5, text: "a", limit: 5 },
    });
  });

  it("names the fields of zod's issues and what the tool takes", async () => {
    const schema = z.object({ n: z.int().min(3), o: z.object({ tags: z.array(z.string()) }) });
    const result = await validateParameters(schema, { n: 1, o: { tags: [["x"]] } });
    expect(result).toEqual({
      ok: false,
      message: expect.stringMatching(
        /^parameter "n": Too small.*; parameter "o\.tags\.0": Invalid input.*\. The tool takes: n \(integer, required\), o \(object, required\)\.$/,
      ),
    });
  });

  it("waits for asynchronous schemas", async () => {
    const schema = z.object({ id: z.string().refine(async (id) => id === "known", "is not known.") });
    expect(await validateParameters(schema, { id: "known" })).toMatchObject({ ok: true });
    expect(await validateParameters(schema, { id: "x" })).toMatchObject({
      message: expect.stringContaining('parameter "id": is not known. The tool takes'),
    });
  });

  it("reads paths made of keys and of segments", async () => {
    const schema: StandardSchema = {
      "~standard": {
        version: 1,
        vendor: "hand-made",
        validate: () => ({ issues: [{ message: "bad", path: ["a", { key: 0 }] }, { message: "all wrong" }] }),
        jsonSchema: { input: () => ({ type: "object" }) },
      },
    };
    expect(await validateParameters(schema, {})).toEqual({
      ok: false,
      message: 'parameter "a.0": bad; all wrong. The tool takes: no parameters.',
    });
  });
});
