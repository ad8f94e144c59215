import { decodeNamedCharacterReference } from 'decode-named-character-reference';
import { decodeNumericCharacterReference } from 'micromark-util-decode-numeric-character-reference';

const reference = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][a-z\d]{1,31}));/gi;

/** Converts all line ends to line feeds, as documents have them. */
export function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** Replaces character references with their characters. Unknown ones stay as they were written. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  const decoded = text.replace(reference, (all, decimal?: string, hex?: string, name?: string) => {
    if (decimal) return decodeNumericCharacterReference(decimal, 10);
    if (hex) return decodeNumericCharacterReference(hex, 16);
    return decodeNamedCharacterReference(name ?? '') || all;
  });
  return withLineFeeds(decoded);
}

/** A character reference that readers of Markdown, HTML and table cells all understand. */
export function entity(char: string): string {
  return `&#x${char.codePointAt(0)?.toString(16).toUpperCase()};`;
}

/** An attribute value in double quotes in HTML, including HTML in a line of Markdown or in a table cell. */
export function escapeAttribute(value: string): string {
  return value.replace(/[&<>"|\n\r\t]/g, (char) => named.get(char) ?? entity(char));
}

/** Text between the tags of an HTML block. `guardEnds` handles the spaces at its ends. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>\t\r]| (?= )/g, (char) => named.get(char) ?? entity(char)).replaceAll('\n', '<br>');
}

const named: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

/** The text that a browser shows for raw HTML text: collapsed white space and decoded character references. */
export function htmlText(source: string): string {
  return decodeEntities(source.replace(/[ \t\n]+/g, ' '));
}

/** A tag as HTML text. */
export function escapeTag(source: string): string {
  return source.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
