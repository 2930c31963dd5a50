import { testAgent, testPlugin } from "@openjarvis/testing/vitest";
import { SimpleAgent } from "../src/index.js";

testPlugin(new URL("..", import.meta.url));

testAgent((options) => new SimpleAgent(options));
