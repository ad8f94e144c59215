/** The pages of one cycle in a map from pages to their parents, or none. Pages that are not keys have no parent. */
export function findCycle(parents: ReadonlyMap<string, string | null>): string[] {
  const done = new Set<string>();
  for (const start of parents.keys()) {
    const path: string[] = [];
    const onPath = new Set<string>();
    let at: string | null = start;
    while (at !== null && !done.has(at) && !onPath.has(at)) {
      path.push(at);
      onPath.add(at);
      at = parents.get(at) ?? null;
    }
    if (at !== null && onPath.has(at)) return path.slice(path.indexOf(at));
    for (const pageId of path) done.add(pageId);
  }
  return [];
}
