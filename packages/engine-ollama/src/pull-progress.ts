/** What `/api/pull` reports of one step; the layers of a model come one after another. */
interface PullStep {
  status?: string;
  digest?: string;
  total?: number;
  completed?: number;
}

/** Sums the layers of a model into one progress. */
export class PullProgress {
  readonly #layers = new Map<string, { completed: number; total: number }>();

  add({ status = "", digest, total = 0, completed = 0 }: PullStep): {
    completed: number;
    total: number;
    status: string;
  } {
    if (digest !== undefined && digest !== "") this.#layers.set(digest, { completed, total });
    const sum = { completed: 0, total: 0 };
    for (const layer of this.#layers.values()) {
      sum.completed += layer.completed;
      sum.total += layer.total;
    }
    return { ...sum, status };
  }
}
