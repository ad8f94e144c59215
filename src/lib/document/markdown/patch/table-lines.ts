/** A table with bars whose columns are as wide as their widest cells. */
export function padColumns(table: string): string {
  const rows = table.split('\n').map(cellTexts);
  const [header = []] = rows;
  const widths = header.map((_, i) => Math.max(3, ...rows.map((row, r) => (r === 1 ? 3 : (row[i] ?? '').length))));
  if (widths.some((width) => width > 1000)) return table;
  return rows
    .map((row, r) => `| ${row.map((cell, i) => paddedCell(cell, widths[i] ?? 0, r === 1)).join(' | ')} |`)
    .join('\n');
}

function paddedCell(cell: string, width: number, isRule: boolean): string {
  if (!isRule) return cell.padEnd(width);
  const [, left = '', right = ''] = /^(:?)-+(:?)$/.exec(cell) ?? [];
  return left + '-'.repeat(width - left.length - right.length) + right;
}

/** The cells of a row, without the spaces around them. */
function cellTexts(row: string): string[] {
  return segmentsIn(row).map((cell) => cell.trim());
}

/** The text between the bars of a row. Bars after a backslash separate nothing. */
function segmentsIn(row: string): string[] {
  const line = row.trim().replace(/^\|/, '');
  return (/(?<!\\)\|$/.test(line) ? line.slice(0, -1) : line).split(/(?<!\\)\|/);
}

/** How cells are edited. */
export interface CellEditing {
  edit(cell: { printed: string; source: string; edited: string }): string;
  /** Whether the bars of all rows are aligned. */
  isAligned: boolean;
}

/**
 * A row with some cells edited, which keeps the other cells and, where the new text fits, the width of the column.
 * Undefined if the rows have different numbers of cells.
 */
export function replaceCells(
  row: string,
  before: string,
  after: string,
  { edit, isAligned }: CellEditing,
): string | undefined {
  const [old, next] = [cellTexts(before), cellTexts(after)];
  const segments = segmentsIn(row);
  if (segments.length !== old.length || old.length !== next.length) return undefined;
  const [, start = ''] = /^(\s*\|?)/.exec(row) ?? [];
  const close = /(?<!\\)\|\s*$/.exec(row.slice(start.length))?.[0] ?? '';
  const cells = segments.map((segment, i) => {
    if (next[i] === old[i]) return segment;
    const cell = edit({ printed: old[i] ?? '', source: segment.trim(), edited: next[i] ?? '' });
    const isBlank = segment.trim() === '';
    const lead = isBlank ? ' ' : segment.slice(0, segment.length - segment.trimStart().length);
    const trail = isBlank ? ' ' : segment.slice(segment.trimEnd().length);
    const end = trail.slice(0, 1);
    const isPadded = (isAligned || trail.length > 1) && lead.length + cell.length + end.length <= segment.length;
    return isPadded ? `${lead}${cell}`.padEnd(segment.length) : `${lead}${cell}${end}`;
  });
  return start + cells.join('|') + close;
}
