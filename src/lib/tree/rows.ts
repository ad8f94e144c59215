import { type PageContent, type PageKind, type StoredPage, slugOf } from './node.ts';
import { fetchNodes, type NodeSource, nodeIn } from './source.ts';

/** A page of a tree with its place: the content of a row of the head projection. */
export interface HeadRow {
  pageId: string;
  /** Null at the top level. */
  parentId: string | null;
  /** Position among the siblings, from 0 without gaps. */
  position: number;
  /** The slugs of the ancestors and the page, joined by `/`; null for links. */
  path: string | null;
  title: string;
  kind: PageKind;
  hidden: boolean;
  documentHash: string | null;
  nodeHash: string;
}

/** The place of a node in a tree. The parent's path is '' at the top level. */
export interface NodePlace {
  hash: string;
  parentId: string | null;
  position: number;
  parentPath: string;
}

export type LoadedPage = HeadRow & { node: StoredPage };

/** The pages at these places, in the same order, in one load. */
export async function loadPagesAt(places: readonly NodePlace[], source: NodeSource): Promise<LoadedPage[]> {
  const hashes = places.map(({ hash }) => hash);
  const nodes = await fetchNodes(source, hashes);
  return places.map((place) => {
    const node = nodeIn(nodes, place.hash);
    if (node.kind === 'root') throw new Error(`${place.hash} is not the node of a page.`);
    return { ...rowOf(node, place), node };
  });
}

/** The places of the children of one parent. */
export const placesOf = (children: readonly string[], parentId: string | null, parentPath: string): NodePlace[] =>
  children.map((hash, position) => ({ hash, parentId, position, parentPath }));

export function rowOf(page: PageContent, { hash, parentId, position, parentPath }: NodePlace): HeadRow {
  return {
    pageId: page.pageId,
    parentId,
    position,
    path: pathOf(page, parentPath),
    title: page.fields.title,
    kind: page.kind,
    hidden: page.fields.hidden ?? false,
    documentHash: page.documentHash ?? null,
    nodeHash: hash,
  };
}

/** The path of a page under a parent with this path. */
export function pathOf(page: PageContent, parentPath: string): string | null {
  const slug = slugOf(page);
  if (slug === null) return null;
  return parentPath === '' ? slug : `${parentPath}/${slug}`;
}
