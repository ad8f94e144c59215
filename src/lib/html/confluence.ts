import type { Element, ElementContent, Root } from 'hast';
import { attribute, classesOf, descendantElements, elementText, isElement, prune } from './elements.ts';

/**
 * Converts the macros in a page of an HTML export from Confluence to plain HTML: panels, expands, tasks, anchors,
 * attachments.
 */
export function tidyConfluence(root: Root): void {
  for (const element of descendantElements(root, () => true)) {
    const classes = classesOf(element);
    if (classes.includes('confluence-information-macro')) styleMacro(element, classes);
    if (classes.includes('panel') && !classes.some((name) => /^(?:code|preformatted)$/.test(name))) stylePanel(element);
    if (classes.includes('expand-container')) asDetails(element);
    if (classes.includes('inline-task-list')) markTasks(element);
    if (classes.includes('confluence-anchor-link') && attribute(element, 'id')) asAnchor(element);
  }
  addAttachments(root);
}

/** In Confluence, a note is yellow, a warning is red and a tip is green. */
const MACROS = new Map(
  Object.entries<string>({
    note: 'warning',
    warning: 'danger',
    tip: 'success',
    information: 'info',
  }),
);

function styleMacro(element: Element, classes: readonly string[]): void {
  const type = classes
    .map((name) => /^confluence-information-macro-(\w+)$/.exec(name)?.[1])
    .find((name) => name !== undefined);
  element.properties.className = ['hint', `hint-${MACROS.get(type ?? '') ?? 'info'}`];
  for (const title of descendantElements(
    element,
    (inner) => inner.tagName === 'p' && classesOf(inner).includes('title'),
  )) {
    title.children = [{ type: 'element', tagName: 'strong', properties: {}, children: title.children }];
  }
  prune(element, (inner) => !classesOf(inner).includes('confluence-information-macro-icon'));
}

function stylePanel(element: Element): void {
  element.properties.className = ['hint', 'hint-info'];
}

/** An expand: its control has the title. */
function asDetails(element: Element): void {
  const [control] = descendantElements(element, (inner) => classesOf(inner).includes('expand-control'));
  const [content] = descendantElements(element, (inner) => classesOf(inner).includes('expand-content'));
  if (!content) return;
  const title = control ? elementText(control) : '';
  const summary: Element = {
    type: 'element',
    tagName: 'summary',
    properties: {},
    children: [{ type: 'text', value: title === '' ? 'Expand' : title }],
  };
  element.tagName = 'details';
  element.properties = {};
  element.children = [summary, ...content.children];
}

function markTasks(list: Element): void {
  for (const item of list.children.filter(isElement).filter(({ tagName }) => tagName === 'li')) {
    const isChecked = classesOf(item).includes('checked');
    const box: ElementContent = {
      type: 'element',
      tagName: 'input',
      properties: { type: 'checkbox', checked: isChecked },
      children: [],
    };
    item.children.unshift(box);
  }
}

/** An anchor without text. Headings and paragraphs keep it. */
function asAnchor(element: Element): void {
  element.tagName = 'a';
  element.properties = { id: attribute(element, 'id'), className: ['kept-anchor'] };
}

/** Files attached to a page are listed after it; those that it does not link to are added at its end. */
function addAttachments(root: Root): void {
  const [content] = descendantElements(root, ({ properties: { id } }) => id === 'main-content');
  if (!content) return;
  const isAttached = (element: Element) =>
    element.tagName === 'a' && /^attachments\//.test(attribute(element, 'href') ?? '');
  const used = new Set(
    descendantElements(content, () => true).flatMap((element) => [
      attribute(element, 'href'),
      attribute(element, 'src'),
    ]),
  );
  const boxes = descendantElements(root, (element) => classesOf(element).includes('greybox'));
  const links = boxes
    .flatMap((box) => descendantElements(box, isAttached))
    .filter((link) => !used.has(attribute(link, 'href')));
  if (links.length === 0) return;
  const items = links.map((link): Element => ({ type: 'element', tagName: 'li', properties: {}, children: [link] }));
  content.children.push({ type: 'element', tagName: 'ul', properties: {}, children: items });
}
