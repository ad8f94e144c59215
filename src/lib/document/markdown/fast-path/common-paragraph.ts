import type { Paragraph } from 'mdast';
import { trimEndOf } from '../../../trim-characters.ts';
import { commonText } from './common-text.ts';
import { type Lines, positionOfLines } from './lines.ts';

/** The first characters of a line that certainly is text. */
const start =
  /^(?:[^\s#>\-+*_=|<`~:[$&{\d]|\d(?!\d{0,8}[.)](?:[ \t]|$))|`(?!``)|\*{1,2}[^\s*_]|_{1,2}[^\s*_]|\[[^\]^[]+\]\(|\{(?!%))/;

/** Whether a line is text that can begin or continue a paragraph, and nothing else. */
export const startsParagraph = (line: string): boolean => start.test(line);

/** A paragraph up to the first line that may be something else. */
export function commonParagraph({ texts, from, line }: Lines): { node: Paragraph; count: number } | undefined {
  let to = from;
  while (to < texts.length && startsParagraph(texts[to] ?? '')) to++;
  const last = to - 1;
  const lines = texts.slice(from, to).map((text, i) => (from + i === last ? trimEndOf(text, ' \t') : lineOf(text)));
  if (lines.length === 0 || lines.includes(undefined) || lines.at(-1)?.endsWith('\\')) return undefined;
  const children = commonText(lines.join('\n'), line);
  return (
    children && {
      node: { type: 'paragraph', children, position: positionOfLines(line, line + last - from) },
      count: to - from,
    }
  );
}

/** A line with its break as a backslash; undefined if its end has another form. */
function lineOf(text: string): string | undefined {
  const inner = trimEndOf(text, ' ');
  if (inner.endsWith('\t') || (inner !== text && inner.endsWith('\\'))) return undefined;
  return text.length - inner.length > 1 ? `${inner}\\` : inner;
}
