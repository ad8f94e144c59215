/** Similarities of all pairs of a number of items, symmetric, by `row * count + column`. */
export interface Similarities {
  count: number;
  at: Float32Array;
}

/**
 * Agglomerative clustering by average linkage: merges the most similar groups until the mean similarity between all
 * groups is below the threshold. Returns the number of its group for each item. Quadratic time and memory: the nearest
 * neighbour chain algorithm (Murtagh 1983). Changes the similarities.
 */
export function averageLinkage({ count, at }: Similarities, threshold: number): Int32Array {
  const sizes = new Int32Array(count).fill(1);
  const parents = Int32Array.from({ length: count }, (_, item) => item);
  const active = new Set(parents);
  const chain: number[] = [];
  while (active.size > 1) {
    if (chain.length === 0) chain.push(active.values().next().value ?? 0);
    const tip = chain[chain.length - 1] ?? 0;
    const previous = chain[chain.length - 2];
    const nearest = nearestOf(tip, previous, active, at, count);
    if (nearest.similarity < threshold) {
      // Neither this group nor those that it may merge with later are similar enough to anything.
      active.delete(tip);
      chain.pop();
    } else if (nearest.item === previous) {
      chain.length -= 2;
      merge(tip, nearest.item, { active, sizes, parents, at, count });
    } else chain.push(nearest.item);
  }
  return labelsOf(parents);
}

function nearestOf(item: number, previous: number | undefined, active: Set<number>, at: Float32Array, count: number) {
  // The previous item of the chain comes first among equals, so that chains end.
  let best = previous ?? -1;
  let similarity = previous === undefined ? Number.NEGATIVE_INFINITY : (at[item * count + previous] ?? 0);
  for (const other of active) {
    const candidate = at[item * count + other] ?? 0;
    if (other === item || candidate <= similarity) continue;
    best = other;
    similarity = candidate;
  }
  return { item: best, similarity };
}

interface State {
  active: Set<number>;
  sizes: Int32Array;
  parents: Int32Array;
  at: Float32Array;
  count: number;
}

/** Merges two groups into the one with the lower number. */
function merge(a: number, b: number, { active, sizes, parents, at, count }: State): void {
  const [target, source] = a < b ? [a, b] : [b, a];
  const [targetSize, sourceSize] = [sizes[target] ?? 0, sizes[source] ?? 0];
  active.delete(source);
  for (const other of active) {
    if (other === target) continue;
    const sum = targetSize * (at[target * count + other] ?? 0) + sourceSize * (at[source * count + other] ?? 0);
    const mean = sum / (targetSize + sourceSize);
    at[target * count + other] = mean;
    at[other * count + target] = mean;
  }
  sizes[target] = targetSize + sourceSize;
  parents[source] = target;
}

/** The root of each item. A parent has a lower number. */
function labelsOf(parents: Int32Array): Int32Array {
  const labels = new Int32Array(parents.length);
  for (const [item, parent] of parents.entries()) labels[item] = parent === item ? item : (labels[parent] ?? 0);
  return labels;
}
