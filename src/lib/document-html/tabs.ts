import { shownId } from '../document/anchors.ts';
import type { Block, BlockOf } from '../document/document.ts';
import { anchorsOf, idAttribute } from './anchors.ts';
import { type Html, html } from './html.ts';
import type { WebPrinting } from './printing.ts';

/** Number of tabs that the style can show. More are printed one below the other. */
const MAX_TABS = 12;

/** Tabs without scripts: radio buttons that select a panel. */
export function tabsHtml(
  printing: WebPrinting,
  { nodes }: BlockOf<'tabs'>,
  inside: (blocks: readonly Block[]) => Html,
): Html {
  if (nodes.length > MAX_TABS) {
    return html`${nodes.map((tab) => html`<section${idAttribute(printing, shownId(tab))}><p><strong>${tab.data.title}</strong></p>${anchorsOf(printing, tab)}${inside(tab.nodes)}</section>`)}`;
  }
  const name = `tabs-${printing.next()}`;
  const choices = nodes.map(
    ({ data }, index) =>
      html`<input type="radio" name="${name}" id="${name}-${index}"${index === 0 && html` checked`}><label for="${name}-${index}">${data.title || String(index + 1)}</label>`,
  );
  const panels = nodes.map(
    (tab) => html`<div${idAttribute(printing, shownId(tab))}>${anchorsOf(printing, tab)}${inside(tab.nodes)}</div>`,
  );
  return html`<div class="tabs">${choices}<div class="panels">${panels}</div></div>`;
}
