import { AgentRegistry } from "@openjarvis/core";
import { NativeOpenHandsAgent } from "./codeact-agent.js";

AgentRegistry.register("native_openhands")(NativeOpenHandsAgent);
AgentRegistry.register("codeact")(NativeOpenHandsAgent);

export { CodeActAgent, type CodeActOptions, NativeOpenHandsAgent } from "./codeact-agent.js";
