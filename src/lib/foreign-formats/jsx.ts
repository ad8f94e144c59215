import { titleAsHtml } from './inline-title.ts';
import { type Component, componentOf, isKnownComponent } from './jsx-components.ts';
import { closingBrace, type JsxTag, jsxTagAt } from './jsx-tag.ts';
import { CLOSE, OPEN } from './mdx-indents.ts';

/** Text that a page can insert by the path of an `import`: the converted text of another page. */
export type Partials = (path: string) => string | undefined;

export interface JsxOptions {
  /** Paths of imports by their names. */
  modules: ReadonlyMap<string, string>;
  partials: Partials;
  /** Tags that could not be read so far, which limits the time. */
  budget: { failures: number };
  /** Open components, with their end tags. */
  open: OpenComponent[];
  /** Says that a component has no counterpart here. */
  unknown?: ((name: string) => void) | undefined;
}

export interface OpenComponent extends Component {
  name: string;
}

const MAX_COMMENT = 100_000;

/** Converts the tags and comments of JSX in a text without code blocks. Code spans stay as they are. */
export function rewriteJsx(text: string, options: JsxOptions): string {
  const pattern = /(?<!`)`{1,10}(?!`)|(?<!\$)\$\$(?!\$)|<!--|\{\/\*|<(?=[A-Za-z/>])/g;
  const plain = text.replace(/[\ufdd0\ufdd1]/g, '\ufffd');
  let result = '';
  let from = 0;
  for (let match = pattern.exec(plain); match && options.budget.failures > 0; match = pattern.exec(plain)) {
    const { index } = match;
    const read = readAt(plain, index, match[0], options);
    if (!read) continue;
    result += plain.slice(from, index) + read.text;
    from = read.end;
    pattern.lastIndex = from;
  }
  return result + plain.slice(from);
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
  if (tag) return { text: textOf(tag, placeOf(text, index, tag.end), text, options), end: tag.end };
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
/** HTML elements that only arrange their content. */
const ARRANGING = /^(?:div|section|article|center|header|footer|main|aside|nav|p|span|font|button|ul|ol|li|dl|dt|dd)$/;

function textOf(tag: JsxTag, place: Place, text: string, options: JsxOptions): string {
  const { name, kind, attributes } = tag;
  const { modules, partials } = options;
  const partial = kind === 'close' ? undefined : partials(modules.get(name) ?? '');
  if (partial !== undefined) return `\n\n${partial.replace(/^(?=.)/gm, place.indent)}\n\n${place.indent}`;
  if (name === 'iframe') return frameOf(tag, place);
  if (name === 'Icon') return iconOf(attributes);
  if (isKnownComponent(name)) return componentText(tag, place, text.slice(tag.end, tag.end + MAX_SEARCHED), options);
  if (/^(?:Link|A|Button)$/.test(name)) return linkOf(tag);
  if (/^(?:Image|Img|Picture)$/.test(name) && attributes.has('src')) return element({ ...tag, name: 'img' }, modules);
  if (/^[a-z]/.test(name) && !ARRANGING.test(name)) return element(tag, modules);
  if (/^[A-Z]/.test(name) && kind !== 'close') options.unknown?.(name);
  return plainText(tag, place);
}

const MAX_SEARCHED = 20_000;

const lineAt = (place: Place, text: string) => `${place.begins ? '' : '\n'}${text}\n${place.indent}`;

/** The text of a component without a counterpart: its visible attributes, and its content. */
function plainText({ name, kind, attributes }: JsxTag, place: Place): string {
  const isBlock = place.begins && (place.ends || !/^(?:span|font)$/.test(name));
  const seen = kind === 'close' || /^[a-z]/.test(name) ? [] : SEEN.flatMap((key) => attributes.get(key)?.trim() || []);
  if (!isBlock) return kind === 'whole' ? seen.join(' ') : '';
  const marker = { open: OPEN, close: CLOSE, whole: '' }[kind];
  return lineAt(place, [marker, ...seen.map((each) => `\n${place.indent}${each}\n`), ''].join('\n'));
}

function componentText(tag: JsxTag, place: Place, rest: string, { open }: JsxOptions): string {
  const lines = (component: readonly string[]) =>
    lineAt(place, component.map((line, index) => (index === 0 || line === '' ? line : place.indent + line)).join('\n'));
  if (tag.kind === 'close') {
    const at = open.findLastIndex(({ name }) => name === tag.name);
    const [closed] = at < 0 ? [] : open.splice(at, 1);
    return closed ? lines(closed.close) : '';
  }
  // A fragment within a line, or a tag of a component that only groups.
  const component = componentOf(tag, rest);
  if (!component) return '';
  if (tag.kind === 'whole') return lines([...component.open, ...component.close]);
  open.push({ ...component, name: tag.name });
  return lines(component.open);
}

function frameOf({ kind, attributes }: JsxTag, place: Place): string {
  const source = attributes.get('src') ?? '';
  return kind !== 'close' && /^https?:/.test(source) ? lineAt(place, `{% embed url="${source}" %}`) : '';
}

function iconOf(attributes: JsxTag['attributes']): string {
  const icon = attributes.get('icon') ?? attributes.get('name') ?? '';
  return /^[a-z0-9-]{1,50}$/.test(icon) ? `<i class="fa-${icon}">:${icon}:</i>` : '';
}

function linkOf({ kind, attributes }: JsxTag): string {
  if (kind === 'close') return '</a>';
  const address = (attributes.get('href') ?? attributes.get('to') ?? '').replaceAll('"', '%22');
  const open = address === '' ? '<a>' : `<a href="${address}">`;
  return kind === 'open'
    ? open
    : `${open}${titleAsHtml(attributes.get('label') ?? attributes.get('text') ?? address)}</a>`;
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
