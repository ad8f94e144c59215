import { decodeEntities } from '../../../src/lib/document/markdown/entities.ts';

const word = /[\p{L}\p{N}]+/gu;

/**
 * Words of a Markdown text that occur less often in the texts of a document. Comments, tags of HTML, numbers of list
 * items, destinations and labels of links, emojis, and what is not a text value in block tags are no text.
 */
export function missingWords(markdown: string, document: unknown): string[] {
  const text = decodeEntities(
    markdown
      .replace(/\]\([^()\s]*\)/g, '] ')
      .replace(/^ {0,3}\[(?:\^[^\]\n]+\]:|[^\]\n]+\]:[ \t]*\n?[ \t]*\S+)/gm, ' ')
      .replace(/\]\[[^\]\n]+\]/g, '] ')
      .replace(/<!--[\s\S]*?-->/g, ' ')
      .replace(/<\/?[a-z][^<>]*>/gi, ' ')
      .replace(/^[ \t]*\d{1,9}[.)](?=\s)/gm, ' ')
      .replace(/\p{Extended_Pictographic}\ufe0f?/gu, ' ')
      .replace(/\{%[^\n]*?%\}/g, (tag) => valuesIn(tag).join(' ')),
  );
  const left = new Map<string, number>();
  for (const [found] of text.matchAll(word)) left.set(found, (left.get(found) ?? 0) + 1);
  for (const string of stringsIn(document)) {
    for (const [found] of string.matchAll(word)) left.set(found, (left.get(found) ?? 0) - 1);
  }
  return [...left].flatMap(([found, count]) => (count > 0 ? [found] : []));
}

/** The values of the attributes of a block tag without switches. */
const valuesIn = (tag: string) =>
  [...tag.matchAll(/"([^"]*)"/g)].flatMap(([, value = '']) => (/^(?:true|false)$/.test(value) ? [] : value));

function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === 'string' || typeof value === 'number') yield String(value);
  else if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) yield* stringsIn(member);
}
