import { ToolRegistry } from "@openjarvis/core";
import { ThinkTool } from "./think.js";

ToolRegistry.register("think")(ThinkTool);

export { ThinkTool };
