import { decodeEntities, escapeAttribute } from '../entities.ts';
import { linkDestination } from '../write/destination.ts';

/**
 * The text with other URLs in the destinations of links and in attributes, and nothing else changed. Undefined if one
 * of the URLs was not found, because it is written in another way.
 */
export function relink(text: string, urls: ReadonlyMap<string, string>): string | undefined {
  const longest = Math.max(...[...urls.keys()].map((url) => 2 * url.length + 20));
  const replacedUrls = new Set<string>();
  const parts: string[] = [];
  const opening = /[(<"']/g;
  let from = 0;
  for (let hit = opening.exec(text); hit; hit = opening.exec(text)) {
    const place = destinationAt(text, hit.index, longest);
    const url = place && [place.raw, unescaped(place.raw)].find((each) => urls.has(each));
    const next = url === undefined ? undefined : urls.get(url);
    if (!place || url === undefined || next === undefined) continue;
    replacedUrls.add(url);
    parts.push(text.slice(from, place.at), writtenFor(hit[0], next));
    from = place.at + place.raw.length;
    opening.lastIndex = from;
  }
  parts.push(text.slice(from));
  return replacedUrls.size === urls.size ? parts.join('') : undefined;
}

function destinationAt(text: string, opening: number, longest: number): { at: number; raw: string } | undefined {
  const sign = text.charAt(opening);
  if (sign !== '(') {
    const rest = text.slice(opening + 1, opening + 1 + longest);
    const end = rest.indexOf(sign === '<' ? '>' : sign);
    return end === -1 ? undefined : { at: opening + 1, raw: rest.slice(0, end) };
  }
  let at = opening + 1;
  while (at - opening < 100 && /[ \t\n\r]/.test(text.charAt(at))) at += 1;
  let depth = 0;
  for (let end = at; end < Math.min(text.length, at + longest); end++) {
    const char = text.charAt(end);
    if (char === '\\') end += 1;
    else if (char === '(') depth += 1;
    else if ((char === ')' && depth-- === 0) || /\s/.test(char)) return { at, raw: text.slice(at, end) };
  }
  return undefined;
}

function unescaped(raw: string): string {
  return decodeEntities(raw.replace(/\\([!-/:-@[-`{-~])/g, '$1'));
}

function writtenFor(opening: string, url: string): string {
  if (opening === '(') return linkDestination(url, false);
  return opening === '<' ? linkDestination(url, false).replace(/^<|>$/g, '') : escapeAttribute(url);
}
