/** The lines of a text, each with its end. All ends that CommonMark knows are recognized (section 2.1). */
export function linesOf(text: string): string[] {
  const lines: string[] = [];
  const end = /\r\n?|\n/g;
  let from = 0;
  while (end.exec(text)) {
    lines.push(text.slice(from, end.lastIndex));
    from = end.lastIndex;
  }
  if (from < text.length) lines.push(text.slice(from));
  return lines;
}

/** Number of characters before the end of a line. */
export function contentLength(line: string): number {
  if (line.endsWith('\r\n')) return line.length - 2;
  return line.endsWith('\n') || line.endsWith('\r') ? line.length - 1 : line.length;
}
