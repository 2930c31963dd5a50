import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Jarvis } from "openjarvis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HermeticHome, hermeticHome, jarvisCommand } from "./jarvis-command.js";

/** What the standard distribution brings works with what the composition root gives. */

let home: HermeticHome;
let elsewhere: HermeticHome;
beforeAll(() => {
  home = hermeticHome();
  elsewhere = hermeticHome();
});
afterAll(() => {
  home.remove();
  elsewhere.remove();
});

describe("the tools of the standard distribution", () => {
  it("can all be made", async () => {
    await using jarvis = new Jarvis({ root: import.meta.url, env: home.env, projectDir: false });
    const system = await jarvis.system();
    const names = system.installed("tools");
    expect(names).toEqual(
      expect.arrayContaining(["calculator", "code_interpreter", "file_read", "llm", "think"]),
    );
    for (const name of names) expect((await system.tool(name)).spec.name, name).toBe(name);
  });

  it("read a file of the working folder, and none outside it unless it is allowed", async () => {
    const ask = async (question: string, ...flags: string[]) => {
      const args = ["ask", "--agent", "orchestrator", "--tools", "file_read", ...flags, question];
      return (await jarvisCommand(args, home.env)).stdout;
    };
    writeFileSync(join(home.dir, "LICENSE"), "Apache License, Version 2.0");
    const plan = join(elsewhere.dir, "plan.txt");
    writeFileSync(plan, "the plan");
    expect(await ask("What does LICENSE say?")).toContain("Apache License, Version 2.0");
    expect(await ask("Read ../../etc/shadow")).toContain("Access denied");
    expect(await ask(`Read ${plan}`)).toContain("not inside a folder that may be read");
    expect(await ask(`Read ${plan}`, "--allow-dir", elsewhere.dir)).toContain("the plan");
  });
});
