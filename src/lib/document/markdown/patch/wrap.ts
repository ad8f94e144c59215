/** A word before which a line must not break, because the next line would start another block. */
const starter = /^(?:[-+*>#=|:<~`$!]|\d{1,9}[.)]|\{%|\[\^)/;

/**
 * A paragraph with lines up to a width. Lines at its start and end that are in `before` stay; undefined leaves all
 * lines unchanged.
 */
export function wrapParagraph(paragraph: string, width: number | undefined, before: string | undefined): string {
  const old = before === undefined ? [] : before.split(/\r\n?|\n/);
  if (width === undefined || (before !== undefined && old.length === 1 && before.length > width)) return paragraph;
  let rest = paragraph;
  const first: string[] = [];
  for (const [i, line] of old.entries()) {
    const after = rest.slice(line.length + 1);
    if (!rest.startsWith(`${line} `) || (starter.test(after) && wordAt(after) !== wordAt(old[i + 1]))) break;
    first.push(line);
    rest = after;
  }
  const last: string[] = [];
  for (const line of old.slice(Math.max(1, first.length)).reverse()) {
    if (!rest.endsWith(` ${line}`)) break;
    last.unshift(line);
    rest = rest.slice(0, -line.length - 1);
  }
  return [...first, ...rest.split('\n').flatMap((line) => fillLines(line, width)), ...last].join('\n');
}

/** The first word of a line. A line of the paragraph that began with it was no other block. */
const wordAt = (line = ''): string => /^\S*/.exec(line)?.[0] ?? '';

/** The lines of a text, up to a width. */
export function fillLines(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/(?<=\S) (?=\S)/)) {
    if (line !== '' && line.length + word.length + 1 > width && !starter.test(word)) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
