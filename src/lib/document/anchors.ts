import { type AnchorRule, anchorOf, anchorRules } from './anchor-rules.ts';
import { fragmentNamed } from './build.ts';
import type { AnyNode, Block, BlockOf, JSONDocument } from './document.ts';
import { textOf, textOfLine } from './plain-text.ts';
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

/**
 * All anchors that links to a document may use: the present ones, those that authors gave to blocks, and those by the rules
 * of earlier versions and of GitHub.
 */
export function knownAnchors(document: JSONDocument): string[] {
  const titled = titledIn(document);
  const known = new Set<string>();
  walk(document, (node) => {
    if (node.object !== 'block') return;
    if (node.meta) known.add(node.meta.id);
    for (const anchor of node.anchors ?? []) known.add(anchor);
  });
  for (const rule of anchorRules) for (const [, id] of blockAnchors(titled, rule)) known.add(id);
  return [...known];
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

/** Remembers the last suffix of each slug, so that equal headings take linear time. */
function uniquely(used: Set<string>): (wanted: string) => string {
  const suffixes = new Map<string, number>();
  return (wanted) => {
    let suffix = suffixes.get(wanted) ?? 0;
    let id = suffix === 0 ? wanted : `${wanted}-${suffix}`;
    while (used.has(id)) {
      suffix += 1;
      id = `${wanted}-${suffix}`;
    }
    suffixes.set(wanted, suffix);
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
