import { codeOfEmojiName } from '../emoji.ts';
import { entity } from './entities.ts';
import type { WriteStyle } from './write-context.ts';

/** The context of a text. Characters with a meaning in it are escaped. */
export interface TextPlace {
  /** The printed characters next to the text; empty at the ends of a line. */
  before: string;
  after: string;
  inLink: boolean;
  inCell: boolean;
  /** Text that Markdown reads without inlines, where a `:name:` would lose its colons. */
  isAlt?: boolean;
  style?: WriteStyle | undefined;
}

const active = /[\\`*_[\]<&~|!$:.@\ufeff]/g;
const reference = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/iy;
const shortcode = /:([a-z\d+_-]{1,50}):/iy;
const email = /@[\w.-]*\.[a-z\d]/iy;

/** Plain text as Markdown that is read as exactly that text, apart from line breaks and the ends of lines. */
export function escapeText(text: string, place: TextPlace): string {
  return text.replace(active, (char, at: number) => {
    const before = at === 0 ? place.before : text.charAt(at - 1);
    const after = at === text.length - 1 ? place.after : text.charAt(at + 1);
    if (char === '\ufeff') return entity(char);
    return rules[char]?.({ text, at, before, after, place }) ? `\\${char}` : char;
  });
}

interface Occurrence {
  text: string;
  at: number;
  before: string;
  after: string;
  place: TextPlace;
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
  $: ({ before, after }) => before === '$' || after === '$',
  ':': isColonActive,
  '.': ({ text, at, after, place }) =>
    !place.inLink && after !== '' && /www$/i.test(text.slice(Math.max(0, at - 3), at)),
  '@': ({ text, at, before, place }) => !place.inLink && /[\w.+-]/.test(before) && matchesAt(email, text, at),
};

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
