import type { Mark } from '../../document.ts';
import { escapeAttribute } from '../entities.ts';
import { isCjkCharacter } from '../syntax/syntax-cjk.ts';
import { DOLLAR_MARK, escapeMarkdown, isWord } from './escape.ts';
import type { LinePlace, WriteStyle } from './write-context.ts';

interface Edges {
  before: string;
  after: string;
}

/** Marks with delimiters, in order of preference. All have tags for places where delimiters have no effect. */
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

/** The characters around the content of a mark, for escaping. Any of its delimiters and tags works. */
export function innerEdges(mark: Mark): Edges {
  const [delimiter] = delimiters[mark.type] ?? [];
  const char = delimiter?.charAt(0);
  return { before: char ?? '>', after: char ?? '<' };
}

/** Printed text with a mark: between delimiters if they work on both sides, otherwise between tags. */
export function writeMark(mark: Mark, inside: string, edges: Edges, style?: WriteStyle): string {
  const preferred = mark.type === 'bold' ? style?.strong : mark.type === 'italic' ? style?.emphasis : undefined;
  const candidates = delimiters[mark.type] ?? [];
  const delimiter = (preferred === undefined ? candidates : [preferred, ...candidates]).find((each) =>
    isReadable(each, inside, edges),
  );
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
 * A code span (CommonMark section 6.1). Bars in cells are escaped, which does not work after a backslash. Then, and for
 * code with only spaces at its ends, tags are used.
 */
export function codeSpan(code: string, place: LinePlace): string {
  if (place.inCell && /\\\||\\$/.test(code))
    return `<code>${escapeMarkdown(code, { ...place, before: '>', after: '<' })}</code>`;
  const runs = new Set(code.match(/`+/g)?.map((run) => run.length));
  let size = 1;
  while (runs.has(size)) size += 1;
  const isPadded = /^`|`$/.test(code) || (/^ .* $/s.test(code) && /[^ ]/.test(code));
  const padding = isPadded ? ' ' : '';
  const content = place.inCell ? code.replaceAll('|', '\\|') : code;
  const fence = '`'.repeat(size);
  return `${fence}${padding}${content}${padding}${fence}`;
}

/** Whether a run of delimiters opens before the text and closes after it (CommonMark section 6.2). */
function isReadable(delimiter: string, inside: string, { before, after }: Edges): boolean {
  const char = delimiter.charAt(0);
  const first = firstCharacter.exec(inside.startsWith(DOLLAR_MARK) ? inside.slice(1) : inside)?.[0] ?? '';
  const last = lastCharacter.exec(inside)?.[0] ?? '';
  if ([before, first, last, after].includes(char)) return false;
  if (char === '_' && (isWord(before) || isWord(after))) return false;
  return isFlanking(before, first) && isFlanking(after, last);
}

const firstCharacter = /^./su;
const lastCharacter = /.$/su;
/** Selectors that modify the character before them, and halves of characters, whose class is not known. */
const unknown = /^[\ufe00-\ufe0e\ud800-\udfff]$/;

/**
 * The text next to the delimiter is not a space, and is a word or separated from the text outside. Chinese, Japanese
 * and Korean characters need no separation.
 */
function isFlanking(outside: string, inside: string): boolean {
  if (inside === '' || /\s/.test(inside)) return false;
  if (unknown.test(inside)) return false;
  if (isWord(inside)) return true;
  if (unknown.test(outside)) return false;
  return !isWord(outside) || isCjkCharacter(inside) || isCjkCharacter(outside);
}
