import type { Element, ElementContent, Properties, Text } from 'hast';
import { toHtml } from 'hast-util-to-html';
import { attribute, classesOf, descendantElements, elementText, holdsBlock, isBlock, isElement } from './elements.ts';
import { trimmedLine } from './fit-content.ts';
import { splitFormulas } from './formula.ts';
import { hintStyle } from './hint-style.ts';

/** Reports an element that was left out or converted to something else. */
export type ElementNote = (outcome: 'changed' | 'dropped', element: Element, message: string) => void;

/** HTML that Markdown can hold in one line: without line breaks. */
export const printedHtml = (children: readonly ElementContent[]): string =>
  toHtml({ type: 'root', children: [...children] }, { characterReferences: { useNamedReferences: true } })
    .replace(/\r\n?|\n/g, '&#xA;')
    .replaceAll('\ufeff', '&#xFEFF;');

export const element = (tagName: string, children: ElementContent[], properties: Properties = {}): Element => ({
  type: 'element',
  tagName,
  properties,
  children,
});

const text = (value: string): Text => ({ type: 'text', value });

/** Names of inline elements in the HTML that Markdown here reads. */
const INLINE = new Map(
  Object.entries<string>({
    ...Object.fromEntries(
      ['strong', 'em', 'del', 'code', 'kbd', 'sup', 'sub', 'mark', 'br'].map((name) => [name, name]),
    ),
    b: 'strong',
    i: 'em',
    u: 'em',
    s: 'del',
    strike: 'del',
    samp: 'code',
    tt: 'code',
    var: 'code',
  }),
);

/** Inline content as elements that Markdown here reads. Blocks in it become text, apart from each other. */
export function plainLine(children: readonly ElementContent[], note: ElementNote): ElementContent[] {
  return children.flatMap((child): ElementContent[] => {
    if (child.type === 'text') return plainText(child);
    if (child.type !== 'element') return [];
    if (child.tagName === 'img') return plainImage(child);
    if (child.tagName === 'a') return plainLink(child, note);
    const leftOut = LEFT_OUT.get(child.tagName);
    if (leftOut !== undefined) {
      note('dropped', child, `${leftOut} was left out.`);
      return [];
    }
    const content = plainLine(child.children, note);
    if (child.tagName === 'q') return [text('"'), ...content, text('"')];
    const name = INLINE.get(child.tagName);
    if (name !== undefined) return [element(name, content)];
    return isBlock(child) ? [text(' '), ...content, text(' ')] : content;
  });
}

const LEFT_OUT = new Map(
  Object.entries<string>({
    svg: 'An inline SVG image',
    canvas: 'A canvas',
    object: 'An embedded object',
    embed: 'An embedded object',
    math: 'A formula (MathML)',
    audio: 'An audio file',
  }),
);

function plainText({ value }: Text): ElementContent[] {
  return splitFormulas(value).flatMap((part, index): ElementContent[] => {
    if (part === '') return [];
    return [index % 2 === 1 ? element('span', [text(part)], { className: ['math'] }) : text(part)];
  });
}

function plainImage(image: Element): Element[] {
  const src = attribute(image, 'src');
  return src === undefined ? [] : [element('img', [], { src, alt: attribute(image, 'alt') ?? '' })];
}

const ANCHOR = /^[\w.:-]{1,100}$/;

function plainLink(link: Element, note: ElementNote): ElementContent[] {
  const [id, href] = [attribute(link, 'id'), attribute(link, 'href')];
  const content = plainLine(link.children, note);
  const footnote = /^#footnote-(\d{1,6})$/.exec(href ?? '')?.[1];
  if (footnote !== undefined) {
    const properties = { href: `#user-content-fn-${footnote}`, dataFootnoteRef: '' };
    return [element('a', [element('sup', [text(footnote)])], properties)];
  }
  if (href !== undefined) return [element('a', content, { href })];
  const isAnchor = id !== undefined && ANCHOR.test(id) && classesOf(link).includes('kept-anchor');
  return isAnchor ? [element('a', [], { id }), ...content] : content;
}

/** Blocks as the HTML blocks that cells of tables can hold in Markdown here. */
export function plainBlocks(children: readonly ElementContent[], note: ElementNote): ElementContent[] {
  const result: ElementContent[] = [];
  let run: ElementContent[] = [];
  const flush = () => {
    if (run.some((node) => elementText(node) !== '' || isElement(node)))
      result.push(element('p', trimmedLine(plainLine(run, note))));
    run = [];
  };
  for (const child of children) {
    if (!isElement(child) || !holdsBlock(child)) {
      run.push(child);
      continue;
    }
    flush();
    result.push(...plainBlock(child, note));
  }
  flush();
  return result.filter((each) => !isElement(each) || each.tagName !== 'p' || each.children.length > 0);
}

function plainBlock(block: Element, note: ElementNote): ElementContent[] {
  const { tagName, children } = block;
  const named = BLOCK_FORMS.get(tagName);
  if (named) return named(block, note);
  if (/^h[1-6]$/.test(tagName)) return [element(tagName, trimmedLine(plainLine(children, note)), idOf(block))];
  if (hintStyle(block) !== undefined) note('changed', block, 'In a table, a hint is its text.');
  return plainBlocks(children, note);
}

const idOf = (block: Element): Properties => {
  const id = attribute(block, 'id');
  return id !== undefined && ANCHOR.test(id) ? { id } : {};
};

type Form = (block: Element, note: ElementNote) => ElementContent[];

const list: Form = ({ tagName, children, properties: { start } }, note) => {
  const items = children
    .filter((child) => isElement(child) || elementText(child) !== '')
    .map((child) => plainItem(child, note));
  const name = tagName === 'ol' ? 'ol' : 'ul';
  return [element(name, items, name === 'ol' && Number.isInteger(Number(start)) ? { start: Number(start) } : {})];
};

function plainItem(item: ElementContent, note: ElementNote): Element {
  const children = isElement(item) && item.tagName === 'li' ? item.children : [item];
  const content = unwrapParagraph(plainBlocks(children, note));
  const [box] = descendantElements(
    { type: 'root', children: children.slice(0, 1) },
    ({ tagName }) => tagName === 'input',
  );
  if (box?.properties.type !== 'checkbox') return element('li', content);
  return element('li', [
    element('input', [], { type: 'checkbox', checked: box.properties.checked === true }),
    ...content,
  ]);
}

/** The content of a single paragraph. */
export function unwrapParagraph(blocks: ElementContent[]): ElementContent[] {
  const [only, ...others] = blocks;
  return isElement(only) && only.tagName === 'p' && others.length === 0 ? only.children : blocks;
}

/** Terms with their definitions as items of a list. */
const definitions: Form = ({ children }, note) => {
  const items: Element[] = [];
  for (const part of children.flatMap((child) =>
    isElement(child) && child.tagName === 'div' ? child.children : child,
  )) {
    const content = plainBlocks(isElement(part) && /^d[dt]$/.test(part.tagName) ? part.children : [part], note);
    const last = items.at(-1);
    const isTerm = isElement(part) && part.tagName === 'dt';
    if (content.length > 0 && (isTerm || !last)) items.push(element('li', content));
    else last?.children.push(...content);
  }
  return [element('ul', items)];
};

const details: Form = (block, note) => {
  const { children } = block;
  note('changed', block, 'In a table, a fold is its text.');
  const summary = children.find((child) => isElement(child) && child.tagName === 'summary');
  const title = isElement(summary) ? trimmedLine(plainLine(summary.children, note)) : [];
  const rest = plainBlocks(
    children.filter((child) => child !== summary),
    note,
  );
  return title.length === 0 ? rest : [element('p', [element('strong', title)]), ...rest];
};

const frame: Form = (block, note) => {
  const [source] = descendantElements(block, ({ tagName }) => tagName === 'source');
  const src = attribute(block, 'src') ?? (source && attribute(source, 'src'));
  note(src === undefined ? 'dropped' : 'changed', block, 'In a table, a frame or video is a link, if it has a URL.');
  return src === undefined ? [] : [element('p', [element('a', [text(src)], { href: src })])];
};

const code: Form = (block) => {
  const [inner] = descendantElements(block, ({ tagName }) => tagName === 'code');
  const classes = [inner, block].flatMap((each) => (each ? classesOf(each) : []));
  const language = classes.find((name) => /^language-\S+$/.test(name));
  const lines = codeIn(block).replace(/\n$/, '');
  return [element('pre', [element('code', [text(lines)], language === undefined ? {} : { className: [language] })])];
};

/** The text of code, where a block in it is on lines of its own. */
function codeIn({ children }: Element): string {
  return children.reduce((source, child) => {
    if (child.type === 'text') return source + child.value;
    if (!isElement(child)) return source;
    if (child.tagName === 'br') return `${source}\n`;
    if (!isBlock(child)) return source + codeIn(child);
    return `${source === '' || source.endsWith('\n') ? source : `${source}\n`}${codeIn(child)}\n`;
  }, '');
}

/** Cells hold no table: its rows are lines of the cell. */
const innerTable: Form = (table, note) => {
  note('changed', table, 'A table was nested in a table. Its rows were kept as lines.');
  return [...captionIn(table), ...rowsIn(table)].flatMap((row) => {
    if (row.tagName === 'caption') return plainBlocks(row.children, note);
    const cells = cellElements(row)
      .map((cell) => plainBlocks(cell.children, note))
      .filter((cell) => cell.length > 0);
    const isLine = cells.every(
      ([first, ...others]) => isElement(first) && first.tagName === 'p' && others.length === 0,
    );
    if (!isLine) return cells.flat();
    return [
      element(
        'p',
        cells.flatMap((cell, at) => [...(at > 0 ? [text(' | ')] : []), ...unwrapParagraph(cell)]),
      ),
    ];
  });
};

export const captionIn = (table: Element): Element[] =>
  table.children.filter(isElement).filter(({ tagName }) => tagName === 'caption');

/** The rows of a table, without those of tables in it. */
export const rowsIn = (table: Element): Element[] =>
  table.children.filter(isElement).flatMap((part) => {
    if (part.tagName === 'tr') return [part];
    return /^(?:thead|tbody|tfoot)$/.test(part.tagName) ? rowsIn(part) : [];
  });

export const cellElements = (row: Element): Element[] =>
  row.children.filter(isElement).filter(({ tagName }) => tagName === 'td' || tagName === 'th');

const BLOCK_FORMS = new Map(
  Object.entries<Form>({
    p: ({ children }, note) => [element('p', trimmedLine(plainLine(children, note)))],
    ul: list,
    ol: list,
    menu: list,
    dir: list,
    dl: definitions,
    details,
    hr: () => [element('hr', [])],
    blockquote: ({ children }, note) => [element('blockquote', plainBlocks(children, note))],
    pre: code,
    listing: code,
    xmp: code,
    plaintext: code,
    iframe: frame,
    video: frame,
    table: innerTable,
  }),
);
