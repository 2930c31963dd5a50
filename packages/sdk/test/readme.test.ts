import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { configKeys } from "../src/index.js";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

describe("the README", () => {
  it("has every key of the config, and no other", () => {
    const rows = [...readme.matchAll(/^\| `([a-z]+\.[a-z_<>]+)` +\|/gm)].map((match) => match[1]);
    expect(rows).toEqual(configKeys().map(({ key }) => key));
  });

  it("has every option of Jarvis and of an ask", () => {
    const options = [
      "configPath",
      "projectDir",
      "defaults",
      "agentOptions",
      "maxTurns",
      "runId",
      "images",
      "policy",
    ];
    for (const option of options) expect(readme).toMatch(new RegExp(`\`${option}\``));
  });
});
