/** Lines below the first one set in by so many spaces; empty lines stay empty. */
export function indented(text: string, width: number): string {
  return text.replace(/\n(?=[^\n])/g, `\n${' '.repeat(width)}`);
}

/** The body of a footnote: lines of nothing but spaces are not set in, since their indentation is not taken off. */
export function indentedFootnote(text: string): string {
  return text.replace(/\n(?=[ \t]*[^ \t\n])/g, '\n    ');
}

/** Every line behind a `>`. */
export function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

/**
 * Content between an opening and a closing tag. An empty line comes before the closing one where the content would
 * go on into it: behind HTML, tables and lists.
 */
export function enclosed(opening: string, content: string, closing: string): string {
  if (content === '') return `${opening}\n${closing}`;
  const last = content.slice(content.lastIndexOf('\n') + 1);
  const gap = /^\s*(?:[<|>*-]|\d+[.)]|\s)/.test(last) ? '\n\n' : '\n';
  return `${opening}\n${content}${gap}${closing}`;
}
