import { readFileSync } from "node:fs";
import { join } from "node:path";
import { errorCodes } from "@openjarvis/core";
import { configKeys } from "@openjarvis/sdk";
import { describe, expect, it } from "vitest";
import { packages, repository } from "../structure/packages.js";

function page(name: string): string {
  return readFileSync(join(repository, "docs", name), "utf8");
}

describe("the reference pages", () => {
  it("list every key of the configuration and none that does not exist", () => {
    const listed = [...page("configuration.md").matchAll(/^\| `([a-z]+\.[a-z_<>]+)` \|/gm)].map(
      (match) => match[1],
    );
    expect(listed).toEqual(configKeys().map(({ key }) => key));
  });

  it("list every error code", () => {
    const listed = [...page("errors.md").matchAll(/^## (OJ_[A-Z_]+)$/gm)].map((match) => match[1]);
    expect(listed).toEqual(Object.keys(errorCodes));
  });

  it("name every package in the README and the house's page", () => {
    const readme = readFileSync(join(repository, "README.md"), "utf8");
    for (const { folder } of packages) expect(readme, folder).toContain(`packages/${folder}`);
  });
});
