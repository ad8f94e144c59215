import type { Mark } from '../document.ts';
import { escapeAttribute } from './entities.ts';
import { escapeText, isWord } from './escape.ts';
import type { LinePlace } from './write-context.ts';

interface Edges {
  before: string;
  after: string;
}

/** Marks that have delimiters, those tried first before; all have tags for where delimiters would not be read as such. */
const delimiters: { [type in Mark['type']]?: readonly string[] } = {
  bold: ['**'],
  italic: ['_', '*'],
  strikethrough: ['~~'],
};

const tags: Record<Exclude<Mark['type'], 'color'>, string> = {
  bold: 'strong',
  italic: 'em',
  strikethrough: 'del',
  code: 'code',
  keyboard: 'kbd',
  superscript: 'sup',
  subscript: 'sub',
};

/** What stands around the content of a mark, for escaping it; any of its delimiters and tags will do. */
export function innerEdges(mark: Mark): Edges {
  const [delimiter] = delimiters[mark.type] ?? [];
  const char = delimiter?.charAt(0);
  return { before: char ?? '>', after: char ?? '<' };
}

/** Printed text under a mark: between delimiters where they work in both directions, else between tags. */
export function marked(mark: Mark, inside: string, edges: Edges): string {
  const delimiter = delimiters[mark.type]?.find((each) => isReadable(each, inside, edges));
  return delimiter ? `${delimiter}${inside}${delimiter}` : `${openTag(mark)}${inside}${closeTag(mark)}`;
}

export function openTag(mark: Mark): string {
  if (mark.type !== 'color') return `<${tags[mark.type]}>`;
  const { text, background } = mark.data;
  const style = [text !== 'default' && `color:${text};`, background !== 'default' && `background-color:${background};`];
  return `<mark style="${escapeAttribute(style.filter(Boolean).join(''))}">`;
}

export function closeTag(mark: Mark): string {
  return mark.type === 'color' ? '</mark>' : `</${tags[mark.type]}>`;
}

/**
 * A code span (CommonMark section 6.1). In a cell a bar is escaped, after a backslash it cannot be; then, and for
 * code of nothing but spaces at its ends, tags are used.
 */
export function codeSpan(code: string, place: LinePlace): string {
  if (place.inCell && /\\\||\\$/.test(code))
    return `<code>${escapeText(code, { ...place, before: '>', after: '<' })}</code>`;
  const runs = new Set(code.match(/`+/g)?.map((run) => run.length));
  let size = 1;
  while (runs.has(size)) size += 1;
  const isPadded = /^`|`$/.test(code) || (/^ .* $/s.test(code) && /[^ ]/.test(code));
  const padding = isPadded ? ' ' : '';
  const content = place.inCell ? code.replaceAll('|', '\\|') : code;
  const fence = '`'.repeat(size);
  return `${fence}${padding}${content}${padding}${fence}`;
}

/** Whether a run of delimiters opens before the text and closes behind it (CommonMark section 6.2). */
function isReadable(delimiter: string, inside: string, { before, after }: Edges): boolean {
  const char = delimiter.charAt(0);
  const first = inside.charAt(0);
  const last = inside.at(-1) ?? '';
  if ([before, first, last, after].includes(char)) return false;
  if (char === '_' && (isWord(before) || isWord(after))) return false;
  return isFlanking(before, first) && isFlanking(after, last);
}

/** The text beside the delimiter is no space, and is a word or set apart from what is outside. */
function isFlanking(outside: string, inside: string): boolean {
  if (inside === '' || /\s/.test(inside)) return false;
  return isWord(inside) || !isWord(outside);
}
