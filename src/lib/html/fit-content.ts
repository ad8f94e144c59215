import type { Element, ElementContent, Nodes, Parents, RootContent } from 'hast';
import { attribute, descendantElements, elementText, holdsBlock, isBlock, isElement } from './elements.ts';

/**
 * Inline elements that are moved into the blocks within them, with what they are in Markdown. Others, such as `span`,
 * are replaced by their content.
 */
const MARKS: ReadonlyMap<string, string> = new Map([
  ...['a', 'kbd', 'mark', 'q', 'sub', 'sup'].map((name) => [name, name] as const),
  ...['b', 'strong'].map((name) => [name, 'strong'] as const),
  ...['em', 'i', 'u'].map((name) => [name, 'emphasis'] as const),
  ...['del', 's', 'strike'].map((name) => [name, 'delete'] as const),
  ...['code', 'samp', 'tt', 'var'].map((name) => [name, 'code'] as const),
]);

/** Blocks that can be part of a line: their content is what matters. */
const LINE_LIKE = new Set(
  'address article aside center div figcaption footer form h1 h2 h3 h4 h5 h6 header hgroup legend main nav p section summary'.split(
    ' ',
  ),
);

const isHeading = ({ tagName }: Element) => /^h[1-6]$/.test(tagName);

/**
 * Moves blocks out of elements that Markdown allows a single line in: inline elements, paragraphs and headings. Every
 * word stays, in its order, and words of different blocks stay apart.
 */
export function fitContent(root: Parents): void {
  // Fitting does not change the types of children.
  root.children = separated(fitted(root.children, [])) as ElementContent[] & RootContent[];
}

/** Children of a block. `marks` are the inline elements around it, outermost first. */
function fitted(children: readonly Nodes[], marks: readonly Element[]): ElementContent[] {
  const result: ElementContent[] = [];
  let run: ElementContent[] = [];
  const around = kindsOf(marks);
  const flush = () => {
    result.push(...(run.some(isBreak) && run.every(isSpace) ? [SEPARATOR] : marked(joined(run), marks)));
    run = [];
  };
  for (const child of children as readonly ElementContent[]) {
    if (!isElement(child) || !holdsBlock(child)) {
      run.push(...unpadded(child, around));
      continue;
    }
    flush();
    const blocks = isBlock(child) ? fittedBlock(child, marks) : fittedInline(child, marks);
    result.push(...(blocks.every(isNothing) ? [SEPARATOR] : blocks));
  }
  flush();
  return joined(result);
}

/** In place of an empty block, which keeps the lines before and after it apart. */
const SEPARATOR: Element = { type: 'element', tagName: 'div', properties: {}, children: [] };

/** Without separators: a line that follows one is a paragraph. */
function separated(nodes: readonly ElementContent[]): ElementContent[] {
  if (!nodes.includes(SEPARATOR)) return [...nodes];
  const result: ElementContent[] = [];
  let paragraph: Element | undefined;
  for (const node of nodes) {
    if (node === SEPARATOR) paragraph = { type: 'element', tagName: 'p', properties: {}, children: [] };
    else if (holdsBlock(node)) paragraph = undefined;
    if (node === SEPARATOR) continue;
    if (!paragraph) result.push(node);
    else if (paragraph.children.push(node) === 1) result.push(paragraph);
  }
  return result;
}

const isNothing = (node: ElementContent): boolean =>
  isSpace(node) || (isElement(node) && LINE_LIKE.has(node.tagName) && node.children.every(isNothing));

/** A run of inline content within the marks. */
function marked(run: readonly ElementContent[], marks: readonly Element[]): ElementContent[] {
  return padded(run, (line) => marks.reduceRight<ElementContent[]>((children, mark) => within(mark, children), line));
}

/** An element with other content. Markdown has no code without text, and none with line breaks. */
function within(element: Element, children: ElementContent[]): ElementContent[] {
  if (MARKS.get(element.tagName) !== 'code') return [{ ...element, children }];
  const lines: ElementContent[][] = [[]];
  for (const child of children) {
    if (isBreak(child)) lines.push([]);
    else lines.at(-1)?.push(child);
  }
  return lines.flatMap((line, at) => {
    const code = line.every((child) => elementText(child) === '')
      ? line
      : [{ ...element, children: line.map(unbroken) }];
    return at > 0 ? [{ ...BREAK, properties: {} }, ...code] : code;
  });
}

const BREAK: Element = { type: 'element', tagName: 'br', properties: {}, children: [] };

const isBreak = (node: ElementContent) => isElement(node) && node.tagName === 'br';

const unbroken = (node: ElementContent): ElementContent => {
  if (isBreak(node)) return { type: 'text', value: ' ' };
  return isElement(node) ? { ...node, children: node.children.map(unbroken) } : node;
};

/** Neighbours with the same mark as one, since their delimiters would mean something else next to each other. */
function joined(nodes: readonly ElementContent[]): ElementContent[] {
  const groups: ElementContent[][] = [];
  for (const node of nodes) {
    const last = groups.at(-1);
    if (last?.[0] && isSameMark(last[0], node)) last.push(node);
    else groups.push([node]);
  }
  return groups.flatMap((group) => {
    const [first] = group;
    if (group.length === 1 || !isElement(first)) return group;
    return [{ ...first, children: joined(group.flatMap((each) => (isElement(each) ? each.children : []))) }];
  });
}

function isSameMark(one: ElementContent, other: ElementContent): boolean {
  if (!isElement(one) || !isElement(other)) return false;
  const mark = MARKS.get(one.tagName);
  return (
    mark !== undefined && mark !== 'a' && mark === MARKS.get(other.tagName) && !holdsBlock(one) && !holdsBlock(other)
  );
}

/** A line within something else. Breaks and blanks at its ends stay outside, where Markdown has them. */
function padded(line: readonly ElementContent[], wrap: (line: ElementContent[]) => ElementContent[]): ElementContent[] {
  const first = line.findIndex((node) => !isSpace(node));
  if (first < 0) return [...line];
  const last = line.findLastIndex((node) => !isSpace(node));
  return [...line.slice(0, first), ...wrap(line.slice(first, last + 1)), ...line.slice(last + 1)];
}

type Kinds = ReadonlySet<string | undefined>;

const kindsOf = (marks: readonly Element[]): Kinds => new Set(marks.map(({ tagName }) => MARKS.get(tagName)));

/** An inline element without breaks at its ends, which are around it, and without a mark that it is within already. */
function unpadded(node: ElementContent, marks: Kinds): ElementContent[] {
  if (!isElement(node)) return [node];
  const mark = MARKS.get(node.tagName);
  if (node.children.length === 0) return mark !== undefined && mark !== 'a' ? [] : [node];
  const isRepeated = mark !== undefined && marks.has(mark);
  const inner = mark === undefined || isRepeated ? marks : new Set([...marks, mark]);
  const children = joined(node.children.flatMap((child) => unpadded(child, inner)));
  return isRepeated ? children : padded(children, (line) => within(node, line));
}

const isSpace = (node: ElementContent) => isBlank(node) || isBreak(node);

const isBlank = (node: ElementContent) =>
  node.type === 'comment' || (node.type === 'text' && /^[ \t\r\n\f]*$/.test(node.value));

function fittedBlock(element: Element, marks: readonly Element[]): ElementContent[] {
  if (element.tagName === 'pre') return [element];
  if (isHeading(element)) return fittedHeading(element, marks);
  const { children } = element;
  if (element.tagName === 'p' && children.some(holdsBlock)) {
    return [{ ...element, tagName: 'div', children: separated(fitted(children, marks)) }];
  }
  element.children = separated(fitted(children, marks));
  return [element];
}

/** Each mark is applied once, so that the result stays as small as what it was made from. */
function fittedInline(element: Element, marks: readonly Element[]): ElementContent[] {
  const { tagName } = element;
  const isLink = tagName === 'a' && attribute(element, 'href') !== undefined;
  const isKept = MARKS.has(tagName) && (tagName !== 'a' || isLink);
  const others = marks.filter((mark) => MARKS.get(mark.tagName) !== MARKS.get(tagName));
  const content = fitted(element.children, isKept ? [...others, { ...element, children: [] }] : marks);
  return tagName === 'a' && !isLink ? [{ ...element, children: [] }, ...content] : content;
}

/** A heading ends where its first list, table or the like begins, which follows it with everything after. */
function fittedHeading(heading: Element, marks: readonly Element[]): ElementContent[] {
  const { line, rest } = headingLine(heading, kindsOf(marks));
  const apart: Element = { type: 'element', tagName: 'div', properties: {}, children: separated(fitted(rest, marks)) };
  return line.every(isBlank) && rest.length > 0
    ? [apart]
    : [{ ...heading, children: marked(withBreaks(line), marks) }, ...(rest.length > 0 ? [apart] : [])];
}

function headingLine(heading: Element, marks: Kinds): { line: ElementContent[]; rest: ElementContent[] } {
  const line: ElementContent[] = [];
  for (const [at, child] of heading.children.entries()) {
    if (!isElement(child) || !holdsBlock(child)) line.push(...unpadded(child, marks));
    else if (isBlock(child) && !isLine(child)) return { line, rest: heading.children.slice(at) };
    else {
      const inner = new Set([...marks, MARKS.get(child.tagName)]);
      const within = headingLine(child, inner);
      const isRepeated = marks.has(MARKS.get(child.tagName) ?? '');
      const own = isRepeated ? within.line : inlined(child, within.line);
      line.push({ type: 'text', value: ' ' }, ...own, { type: 'text', value: ' ' });
      const end = isBlock(child) ? [SEPARATOR] : [];
      if (within.rest.length > 0) return { line, rest: [...within.rest, ...end, ...heading.children.slice(at + 1)] };
    }
  }
  return { line, rest: [] };
}

const isLine = ({ tagName }: Element) => LINE_LIKE.has(tagName);

/** The content of a block without it, or an inline element with other content. */
const inlined = (element: Element, children: ElementContent[]): ElementContent[] =>
  isBlock(element) || children.every(isBlank) ? children : [{ ...element, children }];

/** A line whose breaks are marked as such, without those at its ends. */
export function withBreaks(line: readonly ElementContent[]): ElementContent[] {
  const content = trimmedLine(line);
  for (const each of descendantElements({ type: 'root', children: content }, ({ tagName }) => tagName === 'br')) {
    each.properties.dataInLine = '';
  }
  return content;
}

/** Without line breaks and blanks at its ends. */
export function trimmedLine(line: readonly ElementContent[]): ElementContent[] {
  const first = line.findIndex((node) => !isSpace(node));
  const last = line.findLastIndex((node) => !isSpace(node));
  return first < 0 ? [] : line.slice(first, last + 1);
}

/** The content of a cell, caption or summary as one line; undefined if it has more than one block. */
export function lineIn(
  children: readonly ElementContent[],
  isPlainBlock: (block: Element) => boolean,
): ElementContent[] | undefined {
  const [only, ...others] = children.filter((child) => !isBlank(child));
  const blocks = children.filter((child) => isElement(child) && holdsBlock(child));
  if (blocks.length === 0) return [...children];
  if (!isElement(only) || others.length > 0 || !isPlainBlock(only)) return undefined;
  return lineIn(only.children, isPlainBlock);
}
