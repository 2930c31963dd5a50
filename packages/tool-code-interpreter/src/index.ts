import { ToolRegistry } from "@openjarvis/core";
import { CodeInterpreterTool } from "./code-interpreter-tool.js";

ToolRegistry.register("code_interpreter")(CodeInterpreterTool);

export { CodeInterpreterTool } from "./code-interpreter-tool.js";
export type { CodeInterpreterOptions, CodeRunner, DockerOptions, MakeSandbox } from "./options.js";
