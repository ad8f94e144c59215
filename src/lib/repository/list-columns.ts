const TAB = 4;

/** The width of the start of a line in columns, with tabs (CommonMark, 2.2). */
export function columnsOf(start: string): number {
  let columns = 0;
  for (const character of start) columns += character === '\t' ? TAB - (columns % TAB) : 1;
  return columns;
}
