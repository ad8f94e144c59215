/** The lines of a text, each with its end. All ends that CommonMark knows are recognized (section 2.1). */
export const linesOf = (text: string): string[] => [...linesFrom(text, 0)];

/** The lines of a text from a place on, read one at a time. */
export function* linesFrom(text: string, start: number): Generator<string> {
  const end = /\r\n?|\n/g;
  let from = start;
  end.lastIndex = start;
  while (end.exec(text)) {
    const next = end.lastIndex;
    yield text.slice(from, next);
    from = next;
  }
  if (from < text.length) yield text.slice(from);
}

/** Number of characters before the end of a line. */
export function contentLength(line: string): number {
  if (line.endsWith('\r\n')) return line.length - 2;
  return line.endsWith('\n') || line.endsWith('\r') ? line.length - 1 : line.length;
}
