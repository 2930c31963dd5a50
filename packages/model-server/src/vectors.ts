/** Embeddings as vectors; undefined unless there are `count` lists of numbers, all of one length. */
export function vectorsOf(embeddings: unknown, count: number): Float32Array[] | undefined {
  if (!Array.isArray(embeddings) || embeddings.length !== count) return undefined;
  const dimensions: unknown = Array.isArray(embeddings[0]) ? embeddings[0].length : 0;
  const isVector = (list: unknown): list is number[] =>
    Array.isArray(list) && list.length === dimensions && list.length > 0 && list.every(Number.isFinite);
  return embeddings.every(isVector) ? embeddings.map((list) => Float32Array.from(list)) : undefined;
}
