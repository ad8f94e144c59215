import { isMap, isScalar, type Pair, parseDocument, type Scalar, stringify } from 'yaml';
import { YAML_PARSING } from '../../read-yaml.ts';

/**
 * A YAML mapping with other values for some keys, or without them where the value is undefined. The lines of all other
 * keys, comments and blank lines stay byte for byte. New keys come last. A text that is no valid YAML stays as it is.
 */
export function patchMapping(text: string, changes: ReadonlyMap<string, unknown>): string {
  const lineEnd = /\r\n/.test(text) ? '\r\n' : '\n';
  const printPair = (key: string, value: unknown) => stringify({ [key]: value }, OPTIONS).replaceAll('\n', lineEnd);
  const document = parseDocument(text, YAML_PARSING);
  const { contents } = document;
  if (document.errors.length > 0) return text;
  if (contents !== null && (!isMap(contents) || contents.flow === true)) {
    return stringify(
      Object.fromEntries([...dataOf(document), ...changes].filter(([, value]) => value !== undefined)),
      OPTIONS,
    );
  }
  const rest = new Map(changes);
  const parts: string[] = [];
  let from = 0;
  for (const pair of contents?.items ?? []) {
    const place = placeOf(pair, text);
    if (!place || !changes.has(place.key)) continue;
    const value = changes.get(place.key);
    const isFirst = rest.delete(place.key);
    parts.push(text.slice(from, place.start), isFirst && value !== undefined ? printPair(place.key, value) : '');
    from = place.end;
  }
  const existing = parts.join('') + text.slice(from);
  const added = [...rest].filter(([, value]) => value !== undefined).map(([key, value]) => printPair(key, value));
  const isOpen = existing !== '' && added.length > 0 && !existing.endsWith('\n');
  return existing + (isOpen ? lineEnd : '') + added.join('');
}

const OPTIONS = { lineWidth: 0 } as const;

/** The values of a mapping that is written on one line. Empty if the text is not a mapping. */
function dataOf({ contents }: ReturnType<typeof parseDocument>): [string, unknown][] {
  if (!isMap(contents)) return [];
  return Object.entries(contents.toJSON() as Record<string, unknown>); // a mapping becomes an object
}

/** The lines of a pair: from its key to the end of the line on which its value ends. */
function placeOf({ key, value }: Pair, text: string): { key: string; start: number; end: number } | undefined {
  if (!isScalar(key) || !key.range) return undefined;
  const last = Math.max(key.range[1], (value as Scalar | null)?.range?.[1] ?? 0);
  const start = text.lastIndexOf('\n', key.range[0] - 1) + 1;
  if (text.charAt(last - 1) === '\n' && last > key.range[1]) return { key: String(key.value), start, end: last };
  const end = text.indexOf('\n', last);
  return { key: String(key.value), start, end: end < 0 ? text.length : end + 1 };
}
