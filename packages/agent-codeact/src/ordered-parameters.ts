import type { JsonSchema } from "@openjarvis/core";

/** Parameter names as positions count them: the required ones first, each kind in the order of the schema. */
export function orderedParameters({ properties = {}, required = [] }: JsonSchema): readonly string[] {
  const names = Object.keys(properties);
  const isRequired = (name: string) => required.includes(name);
  return [...names.filter(isRequired), ...names.filter((name) => !isRequired(name))];
}
