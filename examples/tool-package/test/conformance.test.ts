import { testPlugin, testTool } from "@openjarvis/testing/vitest";
import { countWordsTool } from "../src/index.js";

testPlugin(new URL("..", import.meta.url));

testTool(countWordsTool, {
  valid: { text: "One fish." },
  invalid: [{}, { text: ["a", "list"] }, { text: "x", language: "no language" }],
  cases: [
    [{ text: "One fish. Two fish!" }, "4 words, 2 sentences, 19 characters"],
    [{ text: "" }, "0 words, 0 sentences, 0 characters"],
  ],
});
