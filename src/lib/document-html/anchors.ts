import { shownId } from '../document/anchors.ts';
import type { AnyNode, Block } from '../document/document.ts';
import { childrenOf } from '../document/walk.ts';
import { type Html, html } from './html.ts';
import type { WebPrinting } from './printing.ts';

/** Blocks whose element has the id itself. */
const WITH_ID = new Set(['heading-1', 'heading-2', 'heading-3', 'expandable', 'tabs-item']);

/** The attribute with the id of an element. Nothing if another element of the page has it. */
export const idAttribute = (printing: WebPrinting, id: string | undefined): Html | undefined =>
  id !== undefined && isNew(printing, id) ? html` id="${id}"` : undefined;

/** Elements with the anchors of a block, to stand before its content. */
export const anchorsOf = (printing: WebPrinting, block: Block): Html[] => {
  const own = WITH_ID.has(block.type) ? shownId(block) : undefined;
  return idsOf(block)
    .filter((id) => id !== own && isNew(printing, id))
    .map((id) => html`<span id="${id}"></span>`);
};

/**
 * Elements with the anchors in a printed block that nothing shows, such as those in hidden columns of tables.
 * Conditional blocks that could not be evaluated are left out with their anchors.
 */
export function anchorsLeft(printing: WebPrinting, node: AnyNode): Html[] {
  if (node.object !== 'block') return childrenOf(node).flatMap((child) => anchorsLeft(printing, child));
  if (node.type === 'if') return [];
  const anchors = idsOf(node)
    .filter((id) => isNew(printing, id))
    .map((id) => html`<span id="${id}"></span>`);
  return [...anchors, ...childrenOf(node).flatMap((child) => anchorsLeft(printing, child))];
}

function idsOf(block: Block): string[] {
  const own = shownId(block);
  return [...(block.anchors ?? []), ...(own === undefined ? [] : [own])];
}

/** Whether an id is not in the page yet. It is from now on. */
function isNew({ ids }: WebPrinting, id: string): boolean {
  if (ids.has(id)) return false;
  ids.add(id);
  return true;
}
