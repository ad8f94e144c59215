import { fragmentNamed } from './build.ts';
import type { AnyNode, Block, BlockOf, JSONDocument } from './document.ts';
import { textOf, textOfLine } from './plain-text.ts';
import { walk } from './walk.ts';

export type Heading = BlockOf<'heading-1'> | BlockOf<'heading-2'> | BlockOf<'heading-3'>;

export function isHeading(node: AnyNode): node is Heading {
  if (node.object !== 'block') return false;
  return node.type === 'heading-1' || node.type === 'heading-2' || node.type === 'heading-3';
}

/** Anchor of a heading before it is made unique: letters, digits, `_` and `-`, by the rules of GitHub. */
export function slugOf(title: string): string {
  const slug = title
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
  return slug || 'section';
}

/**
 * The anchor of every heading, in reading order. An explicit id takes precedence. Others are slugs, made unique by -1,
 * -2, …
 */
export function headingAnchors(document: JSONDocument): Map<Heading, string> {
  const headings: Heading[] = [];
  walk(document, (node) => {
    if (isHeading(node)) headings.push(node);
  });
  return anchorsOf(headings, new Set());
}

/**
 * Writes `meta.id` into a tree that the caller owns: headings first, so that links to them do not depend on other
 * blocks, then tabs and expandables by their titles. Any other `meta.id` is removed.
 */
export function assignAnchors(document: JSONDocument): void {
  const headings: Heading[] = [];
  const titled: [Block, string][] = [];
  walk(document, (node) => {
    if (node.object !== 'block') return;
    delete node.meta;
    if (isHeading(node)) headings.push(node);
    const title = titleOf(node);
    if (title) titled.push([node, title]);
  });
  const used = new Set<string>();
  for (const [heading, id] of anchorsOf(headings, used)) heading.meta = { id };
  const unique = uniquely(used);
  for (const [block, title] of titled) block.meta = { id: unique(slugOf(title)) };
}

function anchorsOf(headings: readonly Heading[], used: Set<string>): Map<Heading, string> {
  const unique = uniquely(used);
  const anchors = new Map<Heading, string>();
  for (const heading of headings) {
    const { id } = heading.data;
    if (id !== undefined && !used.has(id)) anchors.set(heading, unique(id));
  }
  return new Map(
    headings.map((heading) => [
      heading,
      anchors.get(heading) ?? unique(heading.data.id ?? slugOf(textOfLine(heading.nodes))),
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
