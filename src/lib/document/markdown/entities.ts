import { decodeNamedCharacterReference } from 'decode-named-character-reference';
import { decodeNumericCharacterReference } from 'micromark-util-decode-numeric-character-reference';

const reference = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][a-z\d]{1,31}));/gi;

/** Line ends of any kind as line feeds, which is what documents have. */
export function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** Character references replaced by their characters; unknown ones stay as written. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  const decoded = text.replace(reference, (all, decimal?: string, hex?: string, name?: string) => {
    if (decimal) return decodeNumericCharacterReference(decimal, 10);
    if (hex) return decodeNumericCharacterReference(hex, 16);
    return decodeNamedCharacterReference(name ?? '') || all;
  });
  return withLineFeeds(decoded);
}

/** One character as a reference that every reader of Markdown, of HTML and of table cells takes for that character. */
export function entity(char: string): string {
  return `&#x${char.codePointAt(0)?.toString(16).toUpperCase()};`;
}

/** A value between double quotes in HTML, also where that stands in a line of Markdown or a cell of a table. */
export function escapeAttribute(value: string): string {
  return value.replace(/[&<>"|\n\r\t]/g, (char) => named.get(char) ?? entity(char));
}

/** Text between the tags of an HTML block; the spaces at the ends of all of it are for `guardEnds`. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>\t\r]| (?= )/g, (char) => named.get(char) ?? entity(char)).replaceAll('\n', '<br>');
}

const named: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

/** What a browser shows of raw HTML text: runs of white space as one space, references as their characters. */
export function htmlText(source: string): string {
  return decodeEntities(source.replace(/[ \t\n]+/g, ' '));
}

/** A tag as HTML text. */
export function escapeTag(source: string): string {
  return source.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
