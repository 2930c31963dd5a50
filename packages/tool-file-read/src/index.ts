import { ToolRegistry } from "@openjarvis/core";
import { FileReadTool, type FileReadToolOptions } from "./file-read.js";

ToolRegistry.register("file_read")(FileReadTool);

export { FileReadTool, type FileReadToolOptions };
