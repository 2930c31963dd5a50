/** Tokens of one or more inference calls. Zero means the engine reported nothing. */
export interface Usage {
  promptTokens: number;
  completionTokens: number;
  /** The sum of the two, or what the engine reported. */
  totalTokens: number;
}

/** A usage of nothing. */
export function emptyUsage(): Usage {
  return { promptTokens: 0, completionTokens: 0, totalTokens: 0 };
}

/** Adds `more` to `total` in place. */
export function addUsage(total: Usage, more: Usage): void {
  total.promptTokens += more.promptTokens;
  total.completionTokens += more.completionTokens;
  total.totalTokens += more.totalTokens;
}
