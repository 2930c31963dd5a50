import type { Message } from "@openjarvis/core";
import type { ModelFacts } from "./model-facts.js";
import type { Feature } from "./refused-feature.js";

/** What a person should know of a model before it answers. */
export function modelWarnings(model: string, facts: ModelFacts, messages: readonly Message[]): string[] {
  const warnings: string[] = [];
  if (facts.remoteHost !== undefined) {
    warnings.push(`"${model}" runs at ${facts.remoteHost}: the conversation leaves this machine.`);
  }
  if (facts.vision === false && messages.some(({ images }) => images !== undefined && images.length > 0)) {
    warnings.push(`The model "${model}" cannot see images.`);
  }
  return warnings;
}

/** That a request was made without what the model cannot do. */
export function featureWarning(model: string, feature: Feature): string {
  return feature === "tools"
    ? `The model "${model}" cannot call tools; it was asked without them.`
    : `The model "${model}" cannot think before it answers; it was asked to answer at once.`;
}
