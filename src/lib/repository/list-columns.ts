const TAB_COLUMNS = 4;

/** The width of the start of a line in columns, with tabs (CommonMark, 2.2). */
export function columnWidth(start: string): number {
  let columns = 0;
  for (const character of start) columns += character === '\t' ? TAB_COLUMNS - (columns % TAB_COLUMNS) : 1;
  return columns;
}
