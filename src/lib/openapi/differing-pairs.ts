/** A pair of schemas that was compared: how many differences it has itself, and the pairs below it. */
interface Compared {
  differences: readonly unknown[];
  edges: { key: string }[];
}

/** Which pairs of schemas have no differences, nor have those below them, so that they are not searched again. */
export class DifferingPairs {
  readonly #clean = new Set<string>();
  readonly #different = new Set<string>();

  isClean = (key: string) => this.#clean.has(key);

  /** Takes pairs that were compared. Edges that lead elsewhere may lead to differences. */
  note(seen: ReadonlyMap<string, Compared>): void {
    const fresh = [...seen].filter(([key]) => !this.#different.has(key));
    const above = new Map<string, string[]>();
    const queue: string[] = [];
    for (const [key, { differences, edges }] of fresh) {
      const isUnknown = (edge: { key: string }) =>
        this.#different.has(edge.key) || !(seen.has(edge.key) || this.isClean(edge.key));
      if (differences.length > 0 || edges.some(isUnknown)) queue.push(key);
      for (const edge of edges) {
        const keys = above.get(edge.key);
        if (keys) keys.push(key);
        else above.set(edge.key, [key]);
      }
    }
    const marked = new Set<string>();
    for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
      if (marked.has(key)) continue;
      marked.add(key);
      queue.push(...(above.get(key) ?? []));
    }
    for (const [key] of fresh) (marked.has(key) ? this.#different : this.#clean).add(key);
    for (const [, compared] of fresh) compared.edges = compared.edges.filter((edge) => !this.isClean(edge.key));
  }
}
