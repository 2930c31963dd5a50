import { ToolRegistry } from "@openjarvis/core";
import { LLMTool, type LLMToolOptions } from "./llm.js";

ToolRegistry.register("llm")(LLMTool);

export { LLMTool, type LLMToolOptions };
