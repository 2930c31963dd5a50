import { EngineRegistry } from "@openjarvis/core";
import { OllamaEngine } from "./ollama-engine.js";

export { OllamaEngine } from "./ollama-engine.js";
export type { OllamaEngineOptions } from "./options.js";

EngineRegistry.register("ollama")(OllamaEngine);
