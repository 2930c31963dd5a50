import { describe, expect, test } from "vitest";
import { refusalOf, vectorsOf } from "../src/index.js";

describe("a refusal", () => {
  test.each<[unknown, object]>([
    [{ error: "plain" }, { serverMessage: "plain", serverCode: "", param: "" }],
    [
      { error: { message: "m", type: "t", code: "c", param: "p" } },
      { serverMessage: "m", serverCode: "c", param: "p", status: 0 },
    ],
    [{ error: { message: "m", type: "t", code: null } }, { serverMessage: "m", serverCode: "t" }],
    [{ error: { message: "m", code: 429 } }, { serverMessage: "m", status: 429 }],
    [
      { message: "m", code: "c" },
      { serverMessage: "m", serverCode: "c" },
    ],
    [{ detail: "Not Found" }, { serverMessage: "Not Found" }],
    [{ detail: [{ loc: ["body", "stop"], msg: "no" }] }, { serverMessage: "no", param: "body.stop" }],
    ["text", { serverMessage: "text" }],
    [{ error: {} }, { serverMessage: "" }],
    [{ error: null }, { serverMessage: "" }],
    [null, { serverMessage: "" }],
    [[], { serverMessage: "" }],
  ])("is read from %j", (body, expected) => {
    expect(refusalOf(body)).toMatchObject(expected);
  });

  test("that repeats a long request is cut", () => {
    expect(refusalOf({ error: "x".repeat(5000) }).serverMessage).toHaveLength(1000);
  });
});

test.each<[unknown, number, boolean]>([
  [[[1, 2]], 1, true],
  [
    [
      [1, 2],
      [3, 4],
    ],
    2,
    true,
  ],
  [[], 0, true],
  [[[1, 2]], 2, false],
  [[[1, 2], [3]], 2, false],
  [[[]], 1, false],
  [[["1"]], 1, false],
  [[[null]], 1, false],
  ["x", 1, false],
  [undefined, 0, false],
])("%j are %i vectors: %s", (embeddings, count, good) => {
  expect(vectorsOf(embeddings, count) !== undefined).toBe(good);
});
