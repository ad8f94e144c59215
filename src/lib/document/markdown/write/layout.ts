/** Indents all lines but the first. Empty lines stay empty. */
export function indent(text: string, width: number): string {
  return text.replace(/\n(?=[^\n])/g, `\n${' '.repeat(width)}`);
}

/**
 * The body of a footnote. Lines that only consist of spaces are not indented, because readers do not remove their
 * indentation.
 */
export function indentedFootnote(text: string): string {
  return text.replace(/\n(?=[ \t]*[^ \t\n])/g, '\n    ');
}

/** Prefixes every line with `>`. */
export function quoteLines(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

/**
 * Content between an opening and a closing tag. An empty line precedes the closing tag where it would otherwise
 * continue the content: after HTML, tables and lists.
 */
export function enclose(opening: string, content: string, closing: string): string {
  if (content === '') return `${opening}\n${closing}`;
  const last = content.slice(content.lastIndexOf('\n') + 1);
  const gap = /^\s*(?:[<|>*-]|\d+[.)]|\s)/.test(last) ? '\n\n' : '\n';
  return `${opening}\n${content}${gap}${closing}`;
}
