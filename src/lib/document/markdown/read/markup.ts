import { decodeEntities } from '../entities.ts';

/** Attributes in their original order with decoded values. Names of HTML attributes are in lower case. */
export type Attributes = ReadonlyMap<string, string>;

export type MarkupToken =
  | { kind: 'open'; name: string; attributes: Attributes; rest: string; isVoid: boolean; source: string }
  | { kind: 'close'; name: string; source: string }
  /** Raw HTML text with undecoded references. */
  | { kind: 'text'; source: string }
  | { kind: 'comment'; source: string };

const htmlTag =
  /<\/([a-z][\w:-]*)\s*>|<([a-z][\w:-]*)((?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*)\s*(\/?)>/iy;
const htmlAttribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;
/** A word without a value is ignored, but it is matched, so that its characters are not examined again. */
const tagAttribute = /([\w-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?|"([^"]*)"/g;

/** HTML elements that never have content. */
const voidNames = new Set(['br', 'img', 'hr', 'source', 'input', 'wbr', 'col', 'link', 'meta']);

/** Splits HTML into tags, comments and the text between them. Accepts any text, in linear time. */
export function htmlTokens(html: string): MarkupToken[] {
  const tokens: MarkupToken[] = [];
  let from = 0;
  let at = html.indexOf('<');
  while (at !== -1) {
    const token = html.startsWith('<!--', at) ? commentAt(html, at) : tagAt(html, at);
    if (token) {
      if (at > from) tokens.push({ kind: 'text', source: html.slice(from, at) });
      tokens.push(token);
      from = at + token.source.length;
    }
    at = html.indexOf('<', token ? from : at + 1);
  }
  if (from < html.length) tokens.push({ kind: 'text', source: html.slice(from) });
  return tokens;
}

/** Names of block tags start with `%` to distinguish them from HTML names. */
function tagName(name: string): string {
  return `%${name}`;
}

/**
 * A line of `{% … %}`: one tag, or several with text between them. Closing tags start with `end`. `rest` is the text
 * after the name. A value without a name has an empty name.
 */
export function blockTagTokens(line: string): MarkupToken[] {
  const tokens: MarkupToken[] = [];
  const keep = (source: string): void => void (source.trim() !== '' && tokens.push({ kind: 'text', source }));
  const text = line.trim();
  let from = 0;
  for (let at = text.indexOf('{%'); at !== -1; at = text.indexOf('{%', from)) {
    const end = text.indexOf('%}', at + 2);
    if (end === -1) break;
    keep(text.slice(from, at));
    from = end + 2;
    tokens.push(blockTagToken(text.slice(at, from)));
  }
  keep(text.slice(from));
  return tokens;
}

function blockTagToken(source: string): MarkupToken {
  const inner = source.slice(2, source.endsWith('%}') ? -2 : undefined).trim();
  const name = /^@?[\w/-]*/.exec(inner)?.[0] ?? '';
  if (/^end./.test(name)) return { kind: 'close', name: tagName(name.slice(3)), source };
  const rest = inner.slice(name.length).trim();
  const attributes = attributesIn(rest.replaceAll('\\"', '&quot;'), tagAttribute, (key) => key);
  return { kind: 'open', name: tagName(name.startsWith('@') ? '@' : name), attributes, rest, isVoid: false, source };
}

function commentAt(html: string, at: number): MarkupToken {
  const end = html.indexOf('-->', at + 4);
  if (end === -1) return { kind: 'text', source: html.slice(at) };
  return { kind: 'comment', source: html.slice(at, end + 3) };
}

function tagAt(html: string, at: number): MarkupToken | undefined {
  htmlTag.lastIndex = at;
  const match = htmlTag.exec(html);
  if (!match) return undefined;
  const [source, closing, opening = '', inside = '', slash] = match;
  if (closing) return { kind: 'close', name: closing.toLowerCase(), source };
  const name = opening.toLowerCase();
  const isVoid = slash === '/' || voidNames.has(name);
  return {
    kind: 'open',
    name,
    attributes: attributesIn(inside, htmlAttribute, (key) => key.toLowerCase()),
    rest: inside,
    isVoid,
    source,
  };
}

function attributesIn(text: string, pattern: RegExp, keyOf: (name: string) => string): Attributes {
  const attributes = new Map<string, string>();
  for (const [, name = '', ...values] of text.matchAll(pattern)) {
    const value = values.find((each) => each !== undefined) ?? '';
    const key = keyOf(name);
    if (!attributes.has(key)) attributes.set(key, decodeEntities(value));
  }
  return attributes;
}
