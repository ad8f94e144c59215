/** A page as a row of the sidebar. Pages are in reading order, each after its parent. */
export interface Row {
  pageId: string;
  title: string;
  kind: string;
  /** Where it leads: a path of the application or a URL. Undefined for groups. */
  to: string | undefined;
  depth: number;
  parentPageId: string | null | undefined;
  hasChildren: boolean;
}

/** A row with its place among its siblings, as assistive technology announces it. */
export interface PlacedRow extends Row {
  position: number;
  siblingCount: number;
}

/** The rows that are not within a collapsed one, in linear time. */
export function visibleRows(rows: readonly Row[], collapsed: ReadonlySet<string>): PlacedRow[] {
  const counts = new Map<string, number>();
  const positions = rows.map(({ parentPageId }) => {
    const position = (counts.get(parentPageId ?? '') ?? 0) + 1;
    counts.set(parentPageId ?? '', position);
    return position;
  });
  const visible: PlacedRow[] = [];
  let hiddenBelow = Number.POSITIVE_INFINITY;
  for (const [index, row] of rows.entries()) {
    if (row.depth > hiddenBelow) continue;
    hiddenBelow = collapsed.has(row.pageId) ? row.depth : Number.POSITIVE_INFINITY;
    const siblingCount = counts.get(row.parentPageId ?? '') ?? 1;
    visible.push({ ...row, position: positions[index] ?? 1, siblingCount });
  }
  return visible;
}
