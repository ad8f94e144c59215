import { codeOfEmojiName } from '../../emoji.ts';
import { entity } from '../entities.ts';
import { dollarTextAt } from '../syntax/syntax-dollars.ts';
import type { WriteStyle } from './write-context.ts';

/** The context of a text. Characters with a meaning in it are escaped. */
export interface EscapeContext {
  /** The printed characters next to the text; empty at the ends of a line. */
  before: string;
  after: string;
  inLink: boolean;
  inCell: boolean;
  /** Text that Markdown reads without inlines, where a `:name:` would lose its colons. */
  isAlt?: boolean;
  style?: WriteStyle | undefined;
  /** Dollars are marked for `settleDollars`, which sees the whole line. */
  marksDollars?: boolean | undefined;
}

/** Stands before a dollar. Unicode reserves the character for internal use. */
export const DOLLAR_MARK = '\ufdd5';

/** A printed line in which dollars are escaped if text between them would be read as it is. */
export function settleDollars(marked: string): string {
  if (!marked.includes(DOLLAR_MARK)) return marked;
  const parts = marked.split(DOLLAR_MARK);
  const line = parts.join('');
  let at = 0;
  return parts
    .map((part, i) => {
      const isEscaped = i > 0 && part.startsWith('$') && dollarTextAt(line, at) > 0;
      at += part.length;
      return isEscaped ? `\\${part}` : part;
    })
    .join('');
}

const active = /[\\`*_[\]<&~|!$:.@\ufeff]/g;
const reference = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/iy;
const shortcode = /:([a-z\d+_-]{1,50}):/iy;
const email = /@[\w.-]*\.[a-z\d]/iy;

/** Plain text as Markdown that is read as exactly that text, apart from line breaks and the ends of lines. */
export function escapeMarkdown(text: string, place: EscapeContext): string {
  const verbatim = text.includes('$') ? dollarTexts(text, place) : undefined;
  return text.replace(active, (char, at: number) => {
    if (verbatim?.[at]) return char;
    const before = at === 0 ? place.before : text.charAt(at - 1);
    const after = at === text.length - 1 ? place.after : text.charAt(at + 1);
    if (char === '\ufeff') return entity(char);
    if (char === '$' && place.marksDollars && before !== '$' && after !== '$') return `${DOLLAR_MARK}$`;
    return rules[char]?.({ text, at, before, after, place }) ? `\\${char}` : char;
  });
}

interface Occurrence {
  text: string;
  at: number;
  before: string;
  after: string;
  place: EscapeContext;
}

/** Characters that Markdown may interpret, with the conditions for escaping them. */
const rules: Record<string, (occurrence: Occurrence) => boolean> = {
  // The following text may itself be printed as an escape or a reference.
  '\\': ({ after }) => !/[a-z\d]/i.test(after),
  '`': () => true,
  '*': ({ before, after }) => !(isSpace(before) && isSpace(after)),
  _: ({ before, after, place }) => place.style?.escapesUnderscores === true || !(isWord(before) && isWord(after)),
  '[': () => true,
  ']': ({ place }) => place.inLink,
  '<': ({ after }) => /[a-z/!?]/i.test(after) || after === '',
  '&': ({ text, at }) => matchesAt(reference, text, at),
  '~': () => true,
  '|': ({ place }) => place.inCell,
  '!': ({ after, text, at }) => after === '[' && at === text.length - 1,
  $: ({ before, after, text, at, place }) => before === '$' || after === '$' || opensAcross(text, at, before, place),
  ':': isColonActive,
  '.': ({ text, at, after, place }) =>
    !place.inLink && after !== '' && /www$/i.test(text.slice(Math.max(0, at - 3), at)),
  '@': ({ text, at, before, place }) => !place.inLink && /[\w.+-]/.test(before) && matchesAt(email, text, at),
};

/** Whether each character is in text between dollars, which is read as it is. */
function dollarTexts(text: string, { before, after, inCell }: EscapeContext): boolean[] {
  const line = before + text + after;
  const flags: boolean[] = [];
  for (let at = line.indexOf('$', before.length); at >= 0; at = line.indexOf('$', at + 1)) {
    const length = dollarTextAt(line, at);
    const start = at - before.length;
    if (length === 0 || start + length > text.length) continue;
    if (!inCell || !text.slice(start, start + length).includes('|')) markRange(flags, start, start + length);
    at += length - 1;
  }
  return flags;
}

function markRange(marks: boolean[], from: number, to: number): void {
  for (let i = from; i < to; i++) marks[i] = true;
}

/** Whether text between dollars could begin here and end after this text. */
function opensAcross(text: string, at: number, before: string, { after }: EscapeContext): boolean {
  return after !== '' && !isSpace(after) && !/[$\\a-z\d]/i.test(before) && !/[\s$]/.test(text.slice(at + 1));
}

function isColonActive({ text, at, after, place }: Occurrence): boolean {
  if (!place.inLink && after === '/' && /https?$/i.test(text.slice(Math.max(0, at - 5), at))) return true;
  if (after === '_' || (place.after === '_' && /^[a-z\d+_-]*$/i.test(text.slice(at + 1)))) return true;
  shortcode.lastIndex = at;
  const name = shortcode.exec(text)?.[1];
  return name !== undefined && (place.isAlt === true || codeOfEmojiName(name) !== undefined);
}

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

function isSpace(char: string): boolean {
  return char === ' ' || char === '\t';
}

/** Neither white space nor punctuation by the rules for emphasis, per UTF-16 unit. */
export function isWord(char: string): boolean {
  return char !== '' && !/[\s\p{P}\p{S}]/u.test(char);
}

const blockStart = /^(?:#{1,6}(?=[ \t]|$)|>|[-+](?=[ \t]|$)|\{%|[-=:|][-=:| \t]*$)/;
const orderedStart = /^(\d{1,9})(?=[.)](?:[ \t]|$))/;

/** The lines of a paragraph, escaped so that none starts another block or loses spaces at its ends. */
export function guardLines(lines: string): string {
  return lines
    .split('\n')
    .map((line) => guardEnds(line).replace(blockStart, '\\$&').replace(orderedStart, '$1\\'))
    .join('\n');
}

/** A line with protected spaces at its start and end. */
export function guardEnds(line: string): string {
  return line.replace(/^[ \t]|[ \t](?=\\?$)/g, entity);
}
