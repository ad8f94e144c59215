import type { RootContent } from 'mdast';
import { inline, textNode } from '../../build.ts';
import type { ButtonData, Mark, Phrasing } from '../../document.ts';
import { textOfLine } from '../../plain-text.ts';
import { anchorSetBy } from '../anchors.ts';
import { htmlText } from '../entities.ts';
import type { MarkupElement } from './item.ts';
import { itemsOf } from './items.ts';
import { type LineState, mark, type PlainMarkType } from './line-state.ts';
import type { Attributes } from './markup.ts';
import { annotationOf, footnoteLabel } from './read-annotation.ts';
import { imageElement, pictureElement } from './read-image-element.ts';
import { linkNode, mentionOf } from './read-link.ts';

const marks: Record<string, PlainMarkType> = {
  strong: 'bold',
  b: 'bold',
  em: 'italic',
  i: 'italic',
  del: 'strikethrough',
  s: 'strikethrough',
  strike: 'strikethrough',
  kbd: 'keyboard',
  sup: 'superscript',
  sub: 'subscript',
  code: 'code',
};

type Read = (element: MarkupElement, state: LineState) => Phrasing[];

/** Elements that are more than a mark. Each falls back to its content if it lacks required attributes. */
const special: Record<string, Read> = {
  a: readAnchorElement,
  br: (_, state) => [textNode('\n', [...state.marks])],
  button: readButton,
  code: readCode,
  i: readIcon,
  img: (element, { ctx }) => [imageElement(element, ctx)],
  input: () => [],
  mark: readHighlight,
  picture: (element, state) => [pictureElement(element, state.ctx) ?? state.items(element.items)].flat(),
  span: readSpan,
};

/** The inlines for an HTML element in a line. Elements without a meaning are replaced by their content. */
export function readInlineElement(element: MarkupElement, state: LineState): Phrasing[] {
  const read = special[element.name];
  if (read) return read(element, state);
  const type = marks[element.name];
  return state.items(element.items, type && mark(type));
}

function readAnchorElement(element: MarkupElement, state: LineState): Phrasing[] {
  const { attributes, line } = element;
  const anchor = anchorSetBy(element);
  if (anchor !== undefined) {
    state.ctx.anchors.push(anchor);
    return [];
  }
  const href = attributes.get('href');
  const data = buttonData(element, state);
  if (data && href === undefined) return [inline('button', { data })];
  if (href === undefined) {
    // An anchor around a text, as in tables of codes.
    const id = attributes.get('id') || attributes.get('name');
    if (id) state.ctx.anchors.push(id);
    return state.items(element.items);
  }
  if (data) return [inline('button', { data: { ...data, ref: state.ctx.refOf(href, 'link') } })];
  const label = attributes.has('data-footnote-ref') ? footnoteLabel(href) : undefined;
  if (label !== undefined) {
    const at = { position: { start: { line } } };
    return annotationOf(label, state.items(element.items), at, state);
  }
  if (attributes.has('data-mention')) return mentionOf(href, state.items(element.items), line, state.ctx);
  return [linkNode(href, state.items(element.items), line, state.ctx)];
}

function readButton(element: MarkupElement, state: LineState): Phrasing[] {
  const data = buttonData(element, state);
  const name = element.attributes.get('data-action') ?? '';
  if (!data || !['search', 'ask', 'select'].includes(name)) return state.items(element.items);
  const query = element.attributes.get('data-query');
  const slug = element.attributes.get('data-slug') ?? '';
  const action = name === 'select' ? { action: name, slug } : { action: name, ...(query !== undefined && { query }) };
  return [inline('button', { data: { ...data, action } })];
}

function buttonData({ attributes, items }: MarkupElement, state: LineState): ButtonData | undefined {
  const classes = classesOf(attributes);
  if (!classes.includes('button')) return undefined;
  const size = (['small', 'medium', 'large'] as const).find((each) => classes.includes(each));
  const icon = attributes.get('data-icon');
  return {
    label: textOfLine(state.items(items)),
    kind: classes.includes('secondary') ? 'secondary' : 'primary',
    ...(size && { size }),
    ...(icon !== undefined && { icon: icon.slice(0, 50) }),
  };
}

function readCode(element: MarkupElement, state: LineState): Phrasing[] {
  if (!classesOf(element.attributes).includes('expression')) return state.items(element.items, mark('code'));
  return [inline('expression', { data: { expression: sourceText(element, state) } })];
}

/** `<i class="fa-name">:name:</i>`, where the content only repeats the name. */
function readIcon(element: MarkupElement, state: LineState): Phrasing[] {
  const names = classesOf(element.attributes).filter((each) => each.startsWith('fa-'));
  const name = names.find((each) => !iconStyles.has(each)) ?? names[0];
  const icon = element.attributes.get('data-icon') ?? name?.slice('fa-'.length);
  if (icon === undefined) return state.items(element.items, mark('italic'));
  const content = state.items(element.items);
  const isRepeated = ['', `:${icon}:`].includes(sourceText(element, state).trim());
  const color = styleOf(element.attributes).get('color');
  const node = inline('icon', { data: { icon, ...(color && isColor(color) && { color }) } });
  return isRepeated ? [node] : [node, ...content];
}

function readHighlight(element: MarkupElement, state: LineState): Phrasing[] {
  const style = styleOf(element.attributes);
  const color = (name: string): string => {
    const value = style.get(name);
    return value && isColor(value) ? value : 'default';
  };
  const data = { text: color('color'), background: color('background-color') };
  const isColored = data.text !== 'default' || data.background !== 'default';
  const fallback = { text: 'default', background: 'yellow' };
  const highlight: Mark = { object: 'mark', type: 'color', data: isColored ? data : fallback };
  return state.items(element.items, highlight);
}

function readSpan(element: MarkupElement, state: LineState): Phrasing[] {
  if (classesOf(element.attributes).includes('math')) {
    return [inline('inline-math', { data: { formula: sourceText(element, state) } })];
  }
  const code = element.attributes.get('data-emoji');
  return code ? [inline('emoji', { data: { code } })] : state.items(element.items);
}

const delimiters: { [type in RootContent['type']]?: string } = {
  emphasis: '*',
  strong: '**',
  delete: '~~',
  inlineCode: '`',
  inlineMath: '$$',
  emojiName: ':',
};

/** The content as it was written, as far as the tree shows it. Markdown in it has no meaning. */
function sourceText({ items }: Pick<MarkupElement, 'items'>, state: LineState): string {
  return items
    .map((item) => {
      if (item.kind === 'text') return htmlText(item.source);
      if (item.kind === 'element') return item.name === 'br' ? '\n' : item.source + sourceText(item, state);
      const { node } = item;
      const delimiter = delimiters[node.type] ?? '';
      const inside =
        'children' in node ? sourceText({ items: itemsOf(node.children, state.ctx.report, false) }, state) : '';
      return delimiter + ('value' in node ? node.value.replaceAll('\n', ' ') : inside) + delimiter;
    })
    .join('');
}

/** Font Awesome classes for styles, which are not icons. */
const iconStyles = new Set(
  ['solid', 'regular', 'light', 'thin', 'duotone', 'brands', 'sharp'].map((each) => `fa-${each}`),
);

const colors = new Set(
  'default green blue red orange yellow purple pink violet cyan $primary $info $success $warning $danger $tint'.split(
    ' ',
  ),
);

function isColor(value: string): boolean {
  return colors.has(value);
}

function classesOf(attributes: Attributes): string[] {
  return (attributes.get('class') ?? '').split(/\s+/);
}

function styleOf(attributes: Attributes): Map<string, string> {
  const declarations = (attributes.get('style') ?? '').split(';').map((each) => each.split(':'));
  return new Map(declarations.map(([name = '', value = '']) => [name.trim().toLowerCase(), value.trim()]));
}
