import { titleAttribute } from './hint.ts';
import { closingBrace, type JsxTag, jsxTagAt } from './jsx-tag.ts';

/** Marks where a component begins and ends, for `withoutIndents`. Unicode reserves these characters for internal use. */
export const OPEN = '\ufdd0';
export const CLOSE = '\ufdd1';

/** What a page can insert by the path of an `import`: the converted text of another page. */
export type Partials = (path: string) => string | undefined;

export interface JsxOptions {
  /** Paths of imports by their names. */
  modules: ReadonlyMap<string, string>;
  partials: Partials;
  /** Tags that could not be read so far, which limits the time. */
  budget: { failures: number };
}

const MAX_COMMENT = 100_000;

/** Converts the tags and comments of JSX in a text without code blocks. Code spans stay as they are. */
export function rewriteJsx(text: string, options: JsxOptions): string {
  const pattern = /(?<!`)`{1,10}(?!`)|(?<!\$)\$\$(?!\$)|<!--|\{\/\*|<(?=[A-Za-z/>])/g;
  const plain = text.replace(/[\ufdd0\ufdd1]/g, '\ufffd');
  let written = '';
  let from = 0;
  for (let found = pattern.exec(plain); found && options.budget.failures > 0; found = pattern.exec(plain)) {
    const { index } = found;
    const read = readAt(plain, index, found[0], options);
    if (!read) continue;
    written += plain.slice(from, index) + read.text;
    from = read.end;
    pattern.lastIndex = from;
  }
  return written + plain.slice(from);
}

function readAt(
  text: string,
  index: number,
  what: string,
  options: JsxOptions,
): { text: string; end: number } | undefined {
  if (what.startsWith('`') || what === '$$') {
    const end = text.indexOf(what, index + what.length);
    if (end >= 0) return { text: text.slice(index, end + what.length), end: end + what.length };
    options.budget.failures -= 1;
    return undefined;
  }
  if (what === '<!--') {
    const end = text.indexOf('-->', index);
    if (end >= 0) return { text: text.slice(index, end + 3), end: end + 3 };
    options.budget.failures -= 1;
    return undefined;
  }
  if (what === '{/*') {
    const end = closingBrace(text, index, index + MAX_COMMENT);
    const whole = end < 0 ? '' : text.slice(index, end - 1).trimEnd();
    const inner = whole.endsWith('*/') && whole.length >= 5 ? whole.slice(3, -2) : undefined;
    if (inner !== undefined) return { text: `<!--${inner.replaceAll('--', '- -')}-->`, end };
    options.budget.failures -= 1;
    return undefined;
  }
  const tag = jsxTagAt(text, index);
  if (tag) return { text: textOf(tag, placeOf(text, index, tag.end), options), end: tag.end };
  options.budget.failures -= 1;
  return undefined;
}

interface Place {
  indent: string;
  /** Whether the line begins, and whether it ends, with the tag. */
  begins: boolean;
  ends: boolean;
}

const MAX_INDENT = 200;

function placeOf(text: string, start: number, end: number): Place {
  let from = start;
  while (from > 0 && start - from < MAX_INDENT && /[ \t]/.test(text[from - 1] ?? '')) from -= 1;
  let to = end;
  while (to - end < MAX_INDENT && /[ \t]/.test(text[to] ?? '')) to += 1;
  const begins = from === 0 || text[from - 1] === '\n';
  return { indent: begins ? text.slice(from, start) : '', begins, ends: to >= text.length || text[to] === '\n' };
}

/** Attributes with text that readers see. */
const SEEN = ['title', 'label', 'heading', 'summary', 'text', 'description', 'caption', 'children'];
/** HTML elements that only arrange what is in them. */
const ARRANGING = /^(?:div|section|article|center|header|footer|main|aside|nav|p|span|font|button|ul|ol|li|dl|dt|dd)$/;

function textOf(tag: JsxTag, place: Place, { modules, partials }: JsxOptions): string {
  const { name, kind, attributes } = tag;
  const line = (text: string) => `${place.begins ? '' : '\n'}${text}\n${place.indent}`;
  if (name === 'Tabs') return kind === 'whole' ? '' : line(kind === 'open' ? '{% tabs %}' : '{% endtabs %}');
  if (name === 'TabItem') {
    const title = attributes.get('label') ?? attributes.get('value') ?? 'Tab';
    const open = `{% tab${titleAttribute(title)} %}`;
    return kind === 'close' ? line('{% endtab %}') : line(kind === 'open' ? open : `${open}\n{% endtab %}`);
  }
  if (name === 'iframe' && /^https?:/.test(attributes.get('src') ?? ''))
    return line(`{% embed url="${attributes.get('src')}" %}`);
  if (name === 'iframe') return '';
  const partial = kind === 'close' ? undefined : partials(modules.get(name) ?? '');
  if (partial !== undefined) return `\n\n${partial.replace(/^(?=.)/gm, place.indent)}\n\n${place.indent}`;
  if (/^[a-z]/.test(name) && !ARRANGING.test(name)) return element(tag, modules);
  const isBlock = place.begins && (place.ends || !/^(?:span|font)$/.test(name));
  const seen = kind === 'close' || /^[a-z]/.test(name) ? [] : SEEN.flatMap((key) => attributes.get(key)?.trim() || []);
  if (!isBlock) return kind === 'whole' ? seen.join(' ') : '';
  const marker = { open: OPEN, close: CLOSE, whole: '' }[kind];
  return line([marker, ...seen.map((text) => `\n${place.indent}${text}\n`), ''].join('\n'));
}

/** An element of HTML. Variables in attributes are paths of imported files. */
function element({ name, kind, html }: JsxTag, modules: ReadonlyMap<string, string>): string {
  if (kind === 'close') return `</${name}>`;
  const attributes = html.replace(/"\{([\w$]+)\}"/g, (whole, key: string) =>
    modules.has(key) ? `"${modules.get(key)}"` : whole,
  );
  const isVoid = /^(?:img|br|hr|input|source|wbr)$/.test(name);
  return kind === 'whole' && !isVoid ? `<${name}${attributes}></${name}>` : `<${name}${attributes}>`;
}
