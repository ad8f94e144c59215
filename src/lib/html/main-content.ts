import type { Element, Nodes, Root } from 'hast';
import { selectAll } from 'hast-util-select';
import { attribute, classesOf, descendantElements, elementText, isElement, prune } from './elements.ts';
import type { ElementNote } from './plain-html.ts';

/** Selectors of the main content by site generator, most specific first. */
const PLACES = [
  '#main-content.wiki-content',
  '.theme-doc-markdown',
  'article .markdown-body',
  '.markdown-body',
  'article.page',
  'main article',
  'article',
  'main',
  '[role=main]',
  '#main-content',
  '.main-content',
  '#content',
  '.content',
  '.document',
];

/** Minimum share of the text of the page that the main content has. */
const MIN_TEXT_SHARE = 0.25;

/** The element with the main content of a page, without navigation and the like. */
export function mainContent(root: Root, note: ElementNote): Element | Root {
  prune(root, (element) => !UNSEEN.has(element.tagName));
  const body = selectAll('body', root)[0] ?? root;
  const minLength = elementText(body).length * MIN_TEXT_SHARE;
  for (const place of PLACES) {
    const element = only(selectAll(place, body));
    if (element && elementText(element).length >= minLength) return withoutChrome(element, note);
  }
  return withoutChrome(body, note);
}

const UNSEEN = new Set(['script', 'style', 'noscript', 'template', 'link', 'meta', 'dialog']);

/**
 * The largest of the elements; undefined if the others together are more than half of it, as the cards of an overview
 * are.
 */
function only(elements: readonly Element[]): Element | undefined {
  const sizes = elements.map((element) => ({ element, size: elementText(element).length }));
  const [largest] = sizes.toSorted((a, b) => b.size - a.size);
  if (!largest) return undefined;
  const within = new Set(descendantElements(largest.element, () => true));
  const others = sizes.filter(({ element }) => element !== largest.element && !within.has(element));
  return others.reduce((sum, { size }) => sum + size, 0) > largest.size / 2 ? undefined : largest.element;
}

function withoutChrome<Content extends Element | Root>(content: Content, note: ElementNote): Content {
  const isBody = content.type === 'root' || content.tagName === 'body';
  keepInlineButtons(content);
  showDetails(content);
  prune(content, (element) => {
    if (!isChrome(element, isBody)) return true;
    const isContent = element.properties.hidden === true || INPUTS.has(element.tagName);
    if (isContent && hasText(element)) note('dropped', element, 'Text that is hidden, or in a field, was left out.');
    return false;
  });
  return content;
}

/** A button before text is a word of it: "Press <button>Save</button> now". One after all text is one such as "Copy". */
function keepInlineButtons(content: Element | Root): void {
  for (const { children } of descendantElements(content, ({ tagName }) => RUNNING_TEXT.has(tagName))) {
    const last = children.findLastIndex((child) => child.type === 'text' && child.value.trim() !== '');
    for (const child of children.slice(0, Math.max(last, 0)))
      if (isElement(child) && child.tagName === 'button') child.tagName = 'span';
  }
}

/** Details that are closed may hide their content. */
function showDetails(content: Element | Root): void {
  for (const { children } of descendantElements(content, ({ tagName }) => tagName === 'details'))
    for (const child of children) if (isElement(child)) delete child.properties.hidden;
}

const RUNNING_TEXT = new Set(['p', 'li', 'td', 'dd', 'dt', 'figcaption', 'em', 'strong']);
const INPUTS = new Set(['select', 'textarea']);

const CHROME = new Set(['nav', 'footer', 'button', 'select', 'textarea']);
const CHROME_ROLES = new Set(['navigation', 'search', 'banner', 'contentinfo', 'tooltip']);
const CHROME_CLASSES =
  /^(?:toc|toc-macro|table-of-contents|breadcrumbs?|sidebar|navbar|pagination-nav|headerlink|hash-link|anchor-link|anchorjs-link|edit-this-page|theme-edit-this-page|skip-link|pageSectionHeader|page-metadata)$/;

function isChrome(element: Element, isBody: boolean): boolean {
  if (CHROME.has(element.tagName) || CHROME_ROLES.has(attribute(element, 'role') ?? '')) return true;
  if (element.properties.hidden === true || attribute(element, 'ariaHidden') === 'true') return true;
  if (attribute(element, 'type') === 'radio' && element.tagName === 'input') return true;
  if (classesOf(element).some((name) => CHROME_CLASSES.test(name))) return !isTitledSidebar(element);
  if (element.tagName === 'a' && classesOf(element).includes('anchor') && !hasText(element)) return true;
  if (isBody && element.tagName === 'header')
    return descendantElements(element, ({ tagName }) => tagName === 'h1').length === 0;
  return isBody && element.tagName === 'aside' && classesOf(element).length === 0;
}

/** A box beside the text, as the directive `sidebar` of Sphinx writes it. */
const isTitledSidebar = ({ children }: Element) =>
  children.some((child) => isElement(child) && classesOf(child).includes('sidebar-title'));

const hasText = (node: Nodes) => /[\p{L}\p{N}]/u.test(elementText(node));
