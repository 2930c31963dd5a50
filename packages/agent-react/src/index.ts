import { AgentRegistry } from "@openjarvis/core";
import { NativeReActAgent } from "./react-agent.js";

AgentRegistry.register("native_react")(NativeReActAgent);
AgentRegistry.register("react")(NativeReActAgent);

export { NativeReActAgent, ReActAgent } from "./react-agent.js";
