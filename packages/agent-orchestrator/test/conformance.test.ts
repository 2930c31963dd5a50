import { testAgent, testPlugin } from "@openjarvis/testing/vitest";
import { OrchestratorAgent } from "../src/index.js";

testPlugin(new URL("..", import.meta.url));

testAgent((options) => new OrchestratorAgent(options));
