/** A tag of JSX or HTML within a text. */
export interface JsxTag {
  /** Empty for a fragment. */
  name: string;
  kind: 'open' | 'close' | 'whole';
  /**
   * Attributes whose values are literals, with those values. An expression is represented by its first string, or
   * nothing.
   */
  attributes: ReadonlyMap<string, string>;
  /** The attributes as HTML: `className` is `class`, and expressions other than strings are left out. */
  html: string;
  end: number;
}

/** Longer tags stay as they are. */
const MAX_TAG = 20_000;
const NAME = /[A-Za-z][\w.:-]{0,100}/y;
const SPACE = /\s{0,1000}/y;
const ATTRIBUTE = /[A-Za-z_:][\w:.-]{0,200}/y;

const matchAt = (pattern: RegExp, text: string, at: number): string => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
};

/** The tag that begins at an index of a text; undefined if there is none. Reads at most 20,000 characters. */
export function jsxTagAt(text: string, start: number): JsxTag | undefined {
  let at = start + 1;
  const isClosing = text[at] === '/';
  if (isClosing) at += 1;
  const name = matchAt(NAME, text, at);
  at += name.length;
  if (name === '' && text[at] !== '>') return undefined;
  const attributes = new Map<string, string>();
  let html = '';
  while (at < text.length && at - start < MAX_TAG) {
    at += matchAt(SPACE, text, at).length;
    if (text[at] === '>') return { name, kind: isClosing ? 'close' : 'open', attributes, html, end: at + 1 };
    if (text.startsWith('/>', at)) return { name, kind: 'whole', attributes, html, end: at + 2 };
    if (text[at] === '{') {
      at = closingBrace(text, at, start + MAX_TAG);
      if (at < 0) return undefined;
      continue;
    }
    const key = matchAt(ATTRIBUTE, text, at);
    if (key === '') return undefined;
    at += key.length;
    if (text[at] !== '=') {
      html += ` ${key}`;
      attributes.set(key, '');
      continue;
    }
    const value = valueAt(text, at + 1, start + MAX_TAG);
    if (!value) return undefined;
    at = value.end;
    if (value.text === undefined) continue;
    attributes.set(key, value.text);
    html += ` ${HTML_NAMES.get(key) ?? key}="${value.text.replaceAll('"', '&quot;')}"`;
  }
  return undefined;
}

const HTML_NAMES = new Map(Object.entries<string>({ className: 'class', htmlFor: 'for', srcSet: 'srcset' }));

function valueAt(text: string, at: number, limit: number): { text: string | undefined; end: number } | undefined {
  const quote = text[at];
  if (quote === '"' || quote === "'") {
    const end = text.indexOf(quote, at + 1);
    return end < 0 || end > limit ? undefined : { text: text.slice(at + 1, end), end: end + 1 };
  }
  if (quote !== '{') return undefined;
  const end = closingBrace(text, at, limit);
  if (end < 0) return undefined;
  const inner = text.slice(at + 1, end - 1);
  const isObject = /^\s{0,100}[{[]/.test(inner);
  const literal = /"([^"\\]{0,5000})"|'([^'\\]{0,5000})'|`([^`\\$]{0,5000})`/.exec(inner);
  const named = /^\s{0,100}([A-Za-z_$][\w$]{0,100})\s{0,100}$/.exec(inner)?.[1];
  const value = literal?.[1] ?? literal?.[2] ?? literal?.[3] ?? (named === undefined ? undefined : `{${named}}`);
  return { text: isObject ? undefined : value, end };
}

/** The index after the brace that closes the one at `at`; -1 if there is none before the limit. */
export function closingBrace(text: string, at: number, limit: number): number {
  let depth = 0;
  let quote = '';
  for (let index = at; index < text.length && index < limit; index++) {
    const character = text[index] ?? '';
    if (quote !== '') {
      if (character === '\\') index += 1;
      else if (character === quote) quote = '';
    } else if (character === '"' || character === "'" || character === '`') quote = character;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return -1;
}
