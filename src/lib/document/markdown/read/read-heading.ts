import { headingId } from '../../anchors.ts';
import { block } from '../../build.ts';
import type { Block, Phrasing, TextAlignment } from '../../document.ts';
import { anchorSetBy } from '../anchors.ts';
import type { Item } from './item.ts';
import { trimmedItems } from './items.ts';
import { type ReadContext, withAnchors } from './read-context.ts';

interface HeadingOptions {
  /** Value of its attribute, which takes precedence over other anchors. */
  id?: string | undefined;
  /** Anchors before it. */
  ids?: readonly string[];
  align?: TextAlignment | undefined;
  line: number;
}

/** A heading, with the anchor of an empty `<a id="…"></a>` in it. Levels below 3 become level 3. */
export function readHeading(
  level: number,
  items: readonly Item[],
  { id: ownId, ids = [], align, line }: HeadingOptions,
  ctx: ReadContext,
  depth: number,
): Block {
  const rank = Math.max(1, level - ctx.topHeading + 1);
  if (rank > 3) ctx.report(line, `A heading of level ${level} becomes a heading of level ${ctx.topHeading + 2}.`);
  const anchors = items.flatMap((item) => (item.kind === 'element' ? (anchorSetBy(item) ?? []) : []));
  const last = items.at(-1);
  const endsWithAnchor = last?.kind === 'element' && anchorSetBy(last) !== undefined;
  const content = items.filter((item) => item.kind !== 'element' || anchorSetBy(item) === undefined);
  const nodes = ctx.line(trimmedItems(content), depth);
  const allIds = [...(ownId === undefined ? [] : [ownId]), ...anchors, ...ids];
  const id = headingId(allIds);
  const data = { ...(id !== undefined && { id }), ...(align && { align }) };
  const type = (['heading-1', 'heading-2'] as const)[rank - 1] ?? 'heading-3';
  const heading = block(type, { data, nodes: endsWithAnchor ? withoutLastSpace(nodes) : nodes });
  // The anchor of a heading is in lower case. Other spellings, and further anchors, are kept as well.
  return withAnchors(
    heading,
    allIds.filter((each) => each !== id),
  );
}

/** The space between the anchor and the title. */
function withoutLastSpace(nodes: Phrasing[]): Phrasing[] {
  const last = nodes.at(-1);
  const leaf = last?.object === 'text' ? last.leaves.at(-1) : undefined;
  if (last?.object !== 'text' || !leaf) return nodes;
  const trimmedLeaf = { ...leaf, text: leaf.text.replace(/[ \t]$/, '') };
  return [...nodes.slice(0, -1), { ...last, leaves: [...last.leaves.slice(0, -1), trimmedLeaf] }];
}
