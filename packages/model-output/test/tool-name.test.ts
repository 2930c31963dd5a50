import { describe, expect, it } from "vitest";
import { resolveToolName } from "../src/replies.js";

const names = ["calculator", "file_read", "file_write", "web_search", "list_scheduled_tasks"];

describe("resolveToolName", () => {
  it.each([
    ["calculator", "calculator"],
    ["Calculator", "calculator"],
    [" calculator", "calculator"],
    ["`calculator`", "calculator"],
    ["**calculator**", "calculator"],
    ["__calculator__", "calculator"],
    ['"calculator".', "calculator"],
    ["[calculator]", "calculator"],
    ["functions.calculator", "calculator"],
    ["functions.calculator:0", "calculator"],
    ["tools/calculator", "calculator"],
    ["calculator()", "calculator"],
    ["calculator (best)", "calculator"],
    ["calculator - to add the numbers", "calculator"],
    ["the calculator tool", "calculator"],
    ["Use the calculator", "calculator"],
    ["calc", "calculator"],
    ["Web Search", "web_search"],
    ["webSearch", "web_search"],
    ["web-search", "web_search"],
    ["FILE_READ", "file_read"],
    ["list_scheduled", "list_scheduled_tasks"],
  ])("takes %j for %s", (written, name) => {
    expect(resolveToolName(written, names)).toEqual({ name, known: true });
  });

  it.each([
    ["file", "file"],
    ["cal", "cal"],
    ["calculators", "calculators"],
    ["`nope` (best)", "nope"],
    ["functions.nope", "nope"],
    ["", ""],
    ["__", ""],
    ["x".repeat(500), `${"x".repeat(64)}…`],
    ["🙂".repeat(500), `${"🙂".repeat(64)}…`],
  ])("takes %j for no tool", (written, name) => {
    expect(resolveToolName(written, names)).toEqual({ name, known: false });
  });

  it("prefers the exact name and never picks one of two", () => {
    expect(resolveToolName("Read", ["read", "Read"])).toEqual({ name: "Read", known: true });
    expect(resolveToolName("READ", ["read", "Read"])).toEqual({ name: "READ", known: false });
    expect(resolveToolName("search", ["search", "search_all"])).toEqual({ name: "search", known: true });
  });
});
