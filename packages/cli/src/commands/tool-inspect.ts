import { buildToolDescriptions, jsonSchemaOf } from "@openjarvis/core";
import type { Command } from "../command-context.js";
import { withSystem } from "../engine-check.js";
import { exitCodes } from "../exit-codes.js";

/** Loads one tool and shows what it says of itself. */
export const inspectTool: Command<{ name: string; json?: boolean }> = (context, { name, json }) =>
  withSystem(context, async (system) => {
    const tool = await system.tool(name);
    const { spec } = tool;
    const { terminal } = context;
    if (json === true) {
      const shown = {
        name: spec.name,
        description: spec.description,
        category: spec.category ?? "",
        cost_estimate: spec.costEstimate ?? 0,
        latency_estimate: spec.latencyEstimate ?? 0,
        requires_confirmation: spec.requiresConfirmation ?? false,
        timeout_seconds: spec.timeoutSeconds ?? 30,
        local: tool.isLocal,
        parameters: jsonSchemaOf(spec.parameters),
        metadata: spec.metadata ?? {},
      };
      terminal.print(JSON.stringify(shown, undefined, 2));
      return exitCodes.ok;
    }
    const facts = [
      ...(spec.requiresConfirmation === true ? ["Asks before each call."] : []),
      ...(tool.isLocal ? [] : ["Leaves this machine."]),
      `Runs at most ${spec.timeoutSeconds ?? 30} s.`,
    ];
    terminal.print(`${buildToolDescriptions([tool], { includeCost: true })}\n\n${facts.join(" ")}`);
    return exitCodes.ok;
  });
