/** Names that every guest has and cannot change. */
export const providedNames: readonly string[] = ["print", "console"];
