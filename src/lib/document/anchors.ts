import { type AnchorRule, anchorOf, anchorRules } from './anchor-rules.ts';
import { fragmentNamed } from './build.ts';
import type { AnyNode, Block, BlockOf, JSONDocument } from './document.ts';
import { mapChildren } from './map-children.ts';
import { textOf, textOfLine } from './plain-text.ts';
import { mapReferences } from './references.ts';
import { walk } from './walk.ts';

export type Heading = BlockOf<'heading-1'> | BlockOf<'heading-2'> | BlockOf<'heading-3'>;

export function isHeading(node: AnyNode): node is Heading {
  if (node.object !== 'block') return false;
  return node.type === 'heading-1' || node.type === 'heading-2' || node.type === 'heading-3';
}

/** The first of the anchors that can be the id of a heading, which is in lower case. */
export const headingId = (anchors: readonly string[]): string | undefined =>
  anchors.map((anchor) => anchor.toLowerCase()).find((anchor) => /^[-a-z0-9.+_]+$/.test(anchor));

/**
 * The anchor of every heading, in reading order. An explicit id takes precedence. Others are slugs, made unique by -1,
 * -2, …
 */
export const headingAnchors = (document: JSONDocument): Map<Heading, string> =>
  anchorsOf(titledIn(document).headings, new Set(), anchorOf);

/**
 * Writes `meta.id` into a tree that the caller owns: headings first, so that links to them do not depend on other
 * blocks, then tabs and expandables by their titles. Any other `meta.id` is removed.
 */
export function assignAnchors(document: JSONDocument): void {
  walk(document, (node) => {
    if (node.object === 'block') delete node.meta;
  });
  for (const [block, id] of blockAnchors(titledIn(document), anchorOf)) block.meta = { id };
}

/** The ids of the anchors of a document by every anchor that links to it may use. */
export type AnchorIds = ReadonlyMap<string, string>;

/**
 * Targets of links into a document: the id that it shows for every anchor that links may use. Ids and the anchors that
 * authors gave to blocks map to themselves. Anchors of titles by the rules of earlier versions, GitHub and site
 * generators map to the same block. Checking links and showing them both use this map.
 */
export function anchorIds(document: JSONDocument): AnchorIds {
  const titled = titledIn(document);
  const ids = new Map<string, string>();
  walk(document, (node) => {
    if (node.object !== 'block') return;
    for (const id of [shownId(node), ...(node.anchors ?? [])]) if (id !== undefined) ids.set(id, id);
  });
  for (const rule of anchorRules) {
    for (const [block, anchor] of blockAnchors(titled, rule)) {
      const id = shownId(block);
      if (id !== undefined && !ids.has(anchor)) ids.set(anchor, id);
    }
  }
  return ids;
}

/** The id of the element that shows a block. */
export const shownId = (block: Block): string | undefined =>
  block.meta?.id ?? (isHeading(block) ? block.data.id : undefined);

/** All anchors that links to a document may use. */
export const anchorNames = (document: JSONDocument): string[] => [...anchorIds(document).keys()];

/**
 * A document whose links within itself use the ids that it shows. Links to anchors that it does not have stay. `idsOf`
 * is only called if there is such a link.
 */
export function withOwnIds(document: JSONDocument, idsOf: () => AnchorIds): JSONDocument {
  let ids: AnchorIds | undefined;
  return mapReferences(document, (ref) => {
    if (ref.kind !== 'anchor' || ref.page !== undefined || ref.space !== undefined) return ref;
    ids ??= idsOf();
    const id = ids.get(ref.anchor) ?? ref.anchor;
    return id === ref.anchor ? ref : { ...ref, anchor: id };
  });
}

/**
 * A document that is shown within another one: ids that are used there get another suffix, and links within the
 * document follow. `unique` returns an id that is not used yet (`uniquely`).
 */
export function withUniqueIds(document: JSONDocument, unique: (id: string) => string): JSONDocument {
  const renamed = new Map<string, string>();
  const replace = (node: AnyNode): AnyNode[] => {
    const id = node.object === 'block' ? shownId(node) : undefined;
    const next = id === undefined ? id : unique(id);
    if (id === undefined || next === undefined || next === id) return [mapChildren(node, replace)];
    if (!renamed.has(id)) renamed.set(id, next);
    return [mapChildren({ ...node, meta: { id: next } } as Block, replace)]; // only blocks have ids
  };
  return withOwnIds(mapChildren(document, replace), () => renamed);
}

/** The ids that the blocks of a document show. */
export function shownIds(document: JSONDocument): Set<string> {
  const ids = new Set<string>();
  walk(document, (node) => {
    const id = node.object === 'block' ? shownId(node) : undefined;
    if (id !== undefined) ids.add(id);
  });
  return ids;
}

/** The blocks of a document that have anchors, in reading order. */
interface Titled {
  headings: Heading[];
  others: [Block, string][];
}

function titledIn(document: JSONDocument): Titled {
  const titled: Titled = { headings: [], others: [] };
  walk(document, (node) => {
    if (node.object !== 'block') return;
    if (isHeading(node)) titled.headings.push(node);
    const title = titleOf(node);
    if (title) titled.others.push([node, title]);
  });
  return titled;
}

function blockAnchors({ headings, others }: Titled, rule: AnchorRule): [Block, string][] {
  const used = new Set<string>();
  const anchors: [Block, string][] = [...anchorsOf(headings, used, rule)];
  const unique = uniquely(used);
  for (const [block, title] of others) anchors.push([block, unique(rule(title))]);
  return anchors;
}

function anchorsOf(headings: readonly Heading[], used: Set<string>, rule: AnchorRule): Map<Heading, string> {
  const unique = uniquely(used);
  const anchors = new Map<Heading, string>();
  for (const heading of headings) {
    const { id } = heading.data;
    if (id !== undefined && !used.has(id)) anchors.set(heading, unique(id));
  }
  return new Map(
    headings.map((heading) => [
      heading,
      anchors.get(heading) ?? unique(heading.data.id ?? rule(textOfLine(heading.nodes))),
    ]),
  );
}

/**
 * Makes ids that are not used yet, by suffixes. Remembers the last suffix of each slug, so that equal headings take
 * linear time.
 */
export function uniquely(used: Set<string>): (slug: string) => string {
  const suffixes = new Map<string, number>();
  return (slug) => {
    let suffix = suffixes.get(slug) ?? 0;
    let id = suffix === 0 ? slug : `${slug}-${suffix}`;
    while (used.has(id)) {
      suffix += 1;
      id = `${slug}-${suffix}`;
    }
    suffixes.set(slug, suffix);
    used.add(id);
    return id;
  };
}

function titleOf(block: Block): string {
  if (block.type === 'tabs-item') return block.data.title ?? '';
  if (block.type !== 'expandable') return '';
  const title = fragmentNamed(block.fragments, 'expandable-title');
  return title ? textOf(title) : '';
}
