/** The text of a child, and its place among the previous children; absent for new ones. */
export interface PatchedChild {
  at?: number;
  text: string;
}

/** Joins children with the gaps between them: those of the source between neighbours, others like the first gap. */
export function joinChildren(children: readonly PatchedChild[], gaps: readonly string[], lineEnd: string): string {
  const usual = gaps[0] ?? lineEnd;
  return children
    .map(({ at, text }, i) => {
      const next = children[i + 1];
      if (!next) return text;
      const isNeighbour = at !== undefined && next.at === at + 1;
      return text + (isNeighbour ? (gaps[at] ?? usual) : usual);
    })
    .join('');
}
