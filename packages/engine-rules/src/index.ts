import { EngineRegistry } from "@openjarvis/core";
import { RulesEngine } from "./rules-engine.js";

EngineRegistry.register("rules")(RulesEngine);

export { suggestedModel } from "./refusal.js";
export { RulesEngine } from "./rules-engine.js";
