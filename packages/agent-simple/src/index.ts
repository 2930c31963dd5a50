import { AgentRegistry } from "@openjarvis/core";
import { SimpleAgent } from "./simple-agent.js";

AgentRegistry.register("simple")(SimpleAgent);

export { SimpleAgent };
