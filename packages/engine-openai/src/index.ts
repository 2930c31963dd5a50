import { EngineRegistry } from "@openjarvis/core";
import { OpenAIEngine } from "./openai-engine.js";
import type { OpenAIEngineOptions } from "./options.js";
import { presets } from "./presets.js";

export { OpenAIEngine } from "./openai-engine.js";
export type { OpenAIEngineOptions } from "./options.js";

for (const engineId of Object.keys(presets)) {
  EngineRegistry.registerValue(
    engineId,
    (options: OpenAIEngineOptions = {}) => new OpenAIEngine({ ...options, engineId }),
  );
}
