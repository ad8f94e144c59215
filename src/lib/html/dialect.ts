import type { Element, Parents, Text } from 'hast';
import { defaultHandlers, defaultNodeHandlers, type Handle, type State } from 'hast-util-to-mdast';
import type { BlockContent, Heading, Html, Paragraph, PhrasingContent, RootContent } from 'mdast';
import { attribute, classesOf, descendantElements, elementText, isElement } from './elements.ts';
import { trimmedLine } from './fit-content.ts';
import { splitFormulas } from './formula.ts';
import { hintStyle } from './hint-style.ts';
import { captionIn, cellElements, type ElementNote, plainLine, printedHtml, rowsIn } from './plain-html.ts';
import { htmlTable, lineTable } from './write-table.ts';

/** Handlers for elements whose meaning the default conversion would lose. */
export function dialectHandlers(note: ElementNote): Record<string, Handle> {
  const dropped = (what: string): Handle => {
    return (_, element) => void note('dropped', element, `${what} was left out.`);
  };
  return {
    div: container,
    aside: container,
    section: container,
    details: (state, element) => details(state, element, note),
    figure: (state, element) => figure(state, element, note),
    br: lineBreak,
    menu: defaultHandlers.ul,
    a: link,
    video: (_, element) => video(element, note),
    iframe: (_, element) => embed(element, note),
    sup: inlineElement('sup'),
    sub: inlineElement('sub'),
    mark: inlineElement('mark'),
    kbd: inlineElement('kbd'),
    table: (state, element) => table(state, element, note),
    h1: heading,
    h2: heading,
    h3: heading,
    h4: heading,
    h5: heading,
    h6: heading,
    svg: dropped('An inline SVG image'),
    canvas: dropped('A canvas'),
    object: dropped('An embedded object'),
    embed: dropped('An embedded object'),
    math: dropped('A formula (MathML)'),
    audio: dropped('An audio file'),
    form: (state, element) => {
      note('changed', element, 'Only the text of a form was kept.');
      return flow(state, element);
    },
  };
}

/** An anchor that links refer to is kept; other links without an address are their text. */
function link(state: State, element: Element): ReturnType<Handle> {
  const [id, href] = [attribute(element, 'id'), attribute(element, 'href')];
  const note = /^#footnote-(\d{1,6})$/.exec(href ?? '')?.[1];
  if (note !== undefined) return tag(`[^${note}]`);
  if (href !== undefined) return defaultHandlers.a(state, element);
  const isAnchor = id !== undefined && /^[\w.:-]{1,100}$/.test(id) && classesOf(element).includes('kept-anchor');
  return isAnchor ? [tag(`<a id="${id}"></a>`), ...state.all(element)] : state.all(element);
}

/** Text in which formulas are marked. */
export function formulas(state: State, node: Text): ReturnType<Handle> {
  const parts = splitFormulas(node.value);
  if (parts.length === 1) return defaultNodeHandlers.text(state, node);
  return parts.flatMap((part, index): PhrasingContent[] => {
    if (part === '') return [];
    return [index % 2 === 1 ? tag(`$$${part}$$`) : { type: 'text', value: part }];
  });
}

const html = (value: string): Html => ({ type: 'html', value });

/** The content of an element as blocks. */
function flow(state: State, element: Element): BlockContent[] {
  // `toFlow` returns block content.
  return state.toFlow(state.all(element)) as BlockContent[];
}

function container(state: State, element: Element): RootContent[] {
  if (element.properties.dataTabs === '') return tabs(state, element);
  const style = hintStyle(element);
  if (style === undefined) return flow(state, element);
  return [html(`{% hint style="${style}" %}`), ...flow(state, element), html('{% endhint %}')];
}

/** Tabs as `tidyTabs` leaves them. */
function tabs(state: State, element: Element): RootContent[] {
  const panels = element.children.filter(isElement).flatMap((panel): RootContent[] => {
    const title = (attribute(panel, 'dataTab') ?? '').replaceAll('"', "'").replaceAll('%}', '% }');
    return [html(`{% tab title="${title}" %}`), ...flow(state, panel), html('{% endtab %}')];
  });
  return [html('{% tabs %}'), ...panels, html('{% endtabs %}')];
}

function details(state: State, element: Element, note: ElementNote): RootContent[] {
  const summary = element.children.find((child) => isElement(child) && child.tagName === 'summary');
  const rest = { ...element, children: element.children.filter((child) => child !== summary) };
  const title = isElement(summary) ? lineOf(summary, note) : '';
  return [html('<details>'), html(`<summary>${title}</summary>`), ...flow(state, rest), html('</details>')];
}

/** The content of an element as one line of HTML. */
const lineOf = ({ children }: Element, note: ElementNote) =>
  printedHtml(trimmedLine(plainLine(children, note))).replace(/ +/g, ' ');

/** A figure with one image keeps its caption; any other figure is replaced by its content. */
function figure(state: State, element: Element, note: ElementNote): RootContent[] | Html {
  const [image, ...others] = descendantElements(element, ({ tagName }) => tagName === 'img');
  const [caption] = descendantElements(element, ({ tagName }) => tagName === 'figcaption');
  const source = image && attribute(image, 'src');
  const isPlain =
    descendantElements(element, ({ tagName }) => /^(?:table|pre|ul|ol|blockquote|video)$/.test(tagName)).length === 0;
  const hasMore = elementText(element) !== (caption ? elementText(caption) : '');
  if (!image || !source || others.length > 0 || !isPlain || hasMore) return flow(state, element);
  const attributes = `src="${escapeHtml(source)}" alt="${escapeHtml(attribute(image, 'alt') ?? '')}"`;
  const text = caption ? lineOf(caption, note) : '';
  return html(`<figure><img ${attributes}><figcaption>${text}</figcaption></figure>`);
}

function embed(element: Element, note: ElementNote): Html | undefined {
  const address = attribute(element, 'src');
  if (address !== undefined && /^https?:\/\//i.test(address) && !address.includes('"')) {
    return html(`{% embed url="${address}" %}`);
  }
  note('dropped', element, 'A frame without a URL was left out.');
  return undefined;
}

/** Videos become links. */
function video(element: Element, note: ElementNote): Paragraph | undefined {
  const [source] = descendantElements(element, ({ tagName }) => tagName === 'source');
  const address = attribute(element, 'src') ?? (source && attribute(source, 'src'));
  note(address === undefined ? 'dropped' : 'changed', element, 'A video was replaced by a link, if it has a URL.');
  if (address === undefined) return undefined;
  const label = address.split(/[?#]/, 1)[0]?.split('/').pop() || address;
  return { type: 'paragraph', children: [{ type: 'link', url: address, children: [{ type: 'text', value: label }] }] };
}

const inlineElement =
  (name: string): Handle =>
  (state, element) => [tag(`<${name}>`), ...(state.all(element) as PhrasingContent[]), tag(`</${name}>`)]; // inline

/** The type of nodes that are printed unescaped within text. HTML nodes would start a block there. */
export const TAG_TYPE = 'inlineMath';

// A type that counts as phrasing content and that nothing else uses here.
const tag = (value: string) => ({ type: TAG_TYPE, value }) as unknown as PhrasingContent;

/** Keeps the id of a heading, or of the section that it opens, since links use it. */
function heading(state: State, element: Element, parent: Parents | undefined): Heading {
  const result = defaultHandlers.h1(state, element);
  const opens = parent && isElement(parent) && parent.children.find(isElement) === element;
  const id = attribute(element, 'id') ?? (opens ? attribute(parent, 'id') : undefined);
  if (id !== undefined && /^[\w.:-]{1,100}$/.test(id)) {
    result.children.push({ type: 'text', value: ' ' }, html(`<a href="#${id}" id="${id}"></a>`));
  }
  return result;
}

/** A table with bars if each cell is one line, otherwise as HTML. Its caption becomes a paragraph before it. */
function table(state: State, element: Element, note: ElementNote): RootContent[] {
  const captions = captionIn(element).flatMap((caption) => flow(state, caption));
  const cells = rowsIn(element).flatMap(cellElements);
  if (cells.length === 0 || isLayout(element, cells))
    return [...captions, ...cells.flatMap((cell) => flow(state, cell))];
  const lines = lineTable(element);
  if (!lines) return [...captions, html(htmlTable(element, note))];
  const result = defaultHandlers.table(state, lines);
  return [...captions, result as RootContent]; // a table outside of tables
}

/** Whether a table is only used for layout: it says so, or is a frame around another table. */
const isLayout = (element: Element, cells: readonly Element[]) =>
  /^(?:none|presentation)$/.test(attribute(element, 'role') ?? '') ||
  (cells.length === 1 && descendantElements(element, ({ tagName }) => tagName === 'table').length > 0);

/** A line break. Headings and cells are one line of Markdown, where it is a tag. */
const lineBreak: Handle = (state, element) =>
  element.properties.dataInLine === '' ? tag('<br>') : defaultHandlers.br(state, element);

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
