import type { Element, Parents, Root } from 'hast';
import { attribute, descendantElements, elementText, isElement, prune } from './elements.ts';

/** Lists of tabs of a page that are looked at, since each is searched for its panels. */
const MAX_TAB_LISTS = 100;

/** Elements above a list of tabs in which its panels are looked for. */
const MAX_LEVELS = 3;

const roleOf = (element: Element) => attribute(element, 'role');

/**
 * Puts the panels of tabs (WAI-ARIA, tabs pattern) into an element in place of their list, as `dialectHandlers` reads
 * it: `data-tabs` with a `data-tab`, the title, on each panel. Panels that are not open are hidden in the page. Where
 * panels do not fit the list, all are shown one after the other.
 */
export function tidyTabs(root: Root): void {
  const parents = new Map<Element, Parents>();
  const fill = (parent: Parents) => {
    for (const child of parent.children) {
      if (!isElement(child)) continue;
      parents.set(child, parent);
      // Pages have attributes of this name that mean something else.
      delete child.properties.dataTabs;
      fill(child);
    }
  };
  fill(root);
  const lists = descendantElements(root, (element) => roleOf(element) === 'tablist').slice(0, MAX_TAB_LISTS);
  // From the inside outwards, so that panels of tabs within tabs are taken by their own list.
  for (const list of lists.toReversed()) tidyList(list, parents);
  for (const panel of descendantElements(root, (element) => roleOf(element) === 'tabpanel')) show(panel);
}

function tidyList(list: Element, parents: ReadonlyMap<Element, Parents>): void {
  const titles = descendantElements(list, (element) => roleOf(element) === 'tab').map(elementText);
  const panels = panelsOf(list, titles.length, parents);
  const place = parents.get(list);
  if (!panels || !place || isInTable(list, parents)) return;
  const taken: ReadonlySet<unknown> = new Set(panels);
  for (const parent of new Set(panels.map((panel) => parents.get(panel))))
    if (parent) prune(parent, (element) => !taken.has(element));
  for (const [index, panel] of panels.entries()) {
    show(panel);
    delete panel.properties.role;
    panel.properties.dataTab = titles[index] || `Tab ${index + 1}`;
  }
  list.children = panels;
  list.tagName = 'div';
  list.properties = { dataTabs: '' };
}

/** The panels of the nearest element around a list that holds as many as it has tabs. */
function panelsOf(list: Element, count: number, parents: ReadonlyMap<Element, Parents>): Element[] | undefined {
  let around = parents.get(list);
  for (let level = 0; level < MAX_LEVELS && around && count > 0; level++) {
    const panels = descendantElements(around, (element) => roleOf(element) === 'tabpanel');
    if (panels.length >= count) return panels.length === count ? panels : undefined;
    around = isElement(around) ? parents.get(around) : undefined;
  }
  return undefined;
}

function isInTable(element: Element, parents: ReadonlyMap<Element, Parents>): boolean {
  for (let each = parents.get(element); each && isElement(each); each = parents.get(each))
    if (each.tagName === 'table') return true;
  return false;
}

function show({ properties }: Element): void {
  delete properties.hidden;
  delete properties.ariaHidden;
}
