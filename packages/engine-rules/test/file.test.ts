import { defineTool, isJarvisError, JarvisError } from "@openjarvis/core";
import { describe, expect, it } from "vitest";
import { file } from "../src/intents/file.js";
import { play } from "./driver.js";

const texts: Readonly<Record<string, string>> = {
  LICENSE: "Apache License\nVersion 2.0\n",
  "empty.txt": "\n",
  "long.txt": "word ".repeat(2_000),
};

const fileRead = defineTool({
  name: "file_read",
  description: "Read a file.",
  parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  run: ({ path }) => {
    const text = texts[path];
    if (text === undefined) throw new JarvisError("OJ_TOOL_FAILED", "Access denied.");
    return text;
  },
});

const plans = (text: string) => file.plan({ text, history: [] })?.calls[0]?.arguments.path;

describe("a question for the text of a file", () => {
  it.each([
    ["What does LICENSE say?", "LICENSE"],
    ["what does the file docs/plugins.md contain?", "docs/plugins.md"],
    ["What's in ./notes.txt?", "./notes.txt"],
    ["What is in the file `package.json`?", "package.json"],
    ["What are the contents of Makefile?", "Makefile"],
    ["Please read ../../etc/shadow", "../../etc/shadow"],
    ["show me .env", ".env"],
    ["Could you please print the contents of ~/notes/todo.md", "~/notes/todo.md"],
  ])("names it: %s", (question, path) => {
    expect(plans(question)).toBe(path);
  });

  it.each([
    "What is node.js?",
    "What is package.json?",
    "What does it say?",
    "What does Plato say?",
    "read me a story",
    "Show me the way",
    "open the door",
    "Why does LICENSE say Apache?",
    "What does LICENSE say about patents?",
    "read https://example.com/a.txt",
    `What does ${"a/".repeat(5_000)}b say?`,
  ])("is not seen in: %s", (question) => {
    expect(plans(question)).toBeUndefined();
  });

  it("is answered with what the tool read", async () => {
    const played = await play("What does LICENSE say?", { tools: [fileRead] });
    expect(played.calls).toEqual([{ name: "file_read", arguments: { path: "LICENSE" } }]);
    expect(played.answer).toBe("LICENSE says:\n\nApache License\nVersion 2.0");
  });

  it("is answered for an empty file, a long one and one that may not be read", async () => {
    const answer = async (question: string) => (await play(question, { tools: [fileRead] })).answer;
    expect(await answer("What does empty.txt say?")).toBe("empty.txt is empty.");
    const long = await answer("Read long.txt");
    expect(long).toMatch(/^long\.txt says, in its first \d{4} of 9999 characters:\n\nword word/);
    expect(long.length).toBeLessThan(4_100);
    expect(await answer("Read ../../etc/shadow")).toBe(
      'The tool file_read failed on "../../etc/shadow": Access denied.',
    );
  });

  it("is refused without the tool, with the command that has it", async () => {
    const refused = await play("What does LICENSE say?", { tools: [] }).catch((error: unknown) => error);
    expect(isJarvisError(refused, "OJ_ENGINE_CANNOT_ANSWER")).toBe(true);
    expect((refused as JarvisError).hint).toContain(
      'jarvis ask --agent orchestrator --tools file_read "What does LICENSE say?"',
    );
  });
});
