import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { allowedDirs } from "../src/allowed-dirs.js";

const env = { HOME: "/home/ana" };

describe("the folders tools may read", () => {
  it("are the working folder when nothing is said", () => {
    expect(allowedDirs({ given: undefined, configured: [], env })).toEqual([process.cwd()]);
  });

  it("are what the program gave, in place of the working folder", () => {
    expect(allowedDirs({ given: ["/srv/data"], configured: [], env })).toEqual(["/srv/data"]);
    expect(allowedDirs({ given: [], configured: [], env })).toEqual([]);
  });

  it("are widened by the config, with ~ as the user's folder, each once", () => {
    const configured = ["~/notes", "/srv/data", "/srv/data/"];
    expect(allowedDirs({ given: ["/srv/data"], configured, env })).toEqual(["/srv/data", "/home/ana/notes"]);
    expect(allowedDirs({ given: [], configured: ["~"], env: {} })).toEqual([join(homedir())]);
  });
});
