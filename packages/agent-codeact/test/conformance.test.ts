import { testAgent, testPlugin } from "@openjarvis/testing/vitest";
import { NativeOpenHandsAgent } from "../src/index.js";

testPlugin(new URL("..", import.meta.url));

testAgent((options) => new NativeOpenHandsAgent(options));
