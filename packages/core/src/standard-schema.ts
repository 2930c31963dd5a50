/**
 * The parts of the Standard Schema interface (https://standardschema.dev, version 1, with its JSON Schema extension)
 * that core reads, so that zod, Valibot and ArkType schemas all work and core depends on none of them.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly jsonSchema?: {
      readonly input: (options: { target: string }) => Record<string, unknown>;
    };
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** The outcome of a validation. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One thing that is wrong, and where. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Whether a value implements Standard Schema. A schema may be an object or a function. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  return (
    value !== null &&
    (typeof value === "object" || typeof value === "function") &&
    "~standard" in (value as object)
  );
}
