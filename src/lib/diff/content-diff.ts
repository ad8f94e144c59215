import type { ContentSources, ContentVersion } from '../merge/merge-versions.ts';
import { diffTrees, type PagePair, type PlacedPage, type TreeDifference } from '../tree/diff.ts';
import type { ManifestEntry } from '../tree/manifest.ts';
import { diffManifests, type ManifestDifference } from '../tree/manifest-diff.ts';
import { type LoadedPage, pathOf, rowOf } from '../tree/rows.ts';

/** A page of a version, with its position and path. */
type Page = LoadedPage;

interface Pair<Thing> {
  before: Thing;
  after: Thing;
}

/** A change of content as shown to users. A page that was moved and edited has two. */
export type ContentChange =
  | { type: 'page_created'; page: Page }
  | ({
      type: 'page_edited' /** Names of the fields that differ; `document` is the body. */;
      fields: string[];
    } & Pair<Page>)
  | ({ type: 'page_moved' } & Pair<Page> & { parents: Pair<Page | null> })
  | { type: 'page_deleted'; page: Page }
  | EntryChange<'file'>
  | EntryChange<'reusable_content'>
  | {
      type: 'variables_edited';
      variables: { id: string; before: ManifestEntry | null; after: ManifestEntry | null }[];
    };

export type EntryChange<Kind extends string> =
  | { type: `${Kind}_created`; entry: ManifestEntry }
  | ({ type: `${Kind}_edited` } & Pair<ManifestEntry>)
  | { type: `${Kind}_deleted`; entry: ManifestEntry };

/**
 * Compares two versions of the content of a space. Lists pages in the order of the tree, then files, reusable contents
 * and, as one change, variables. Null is an empty space. The cost depends on the size of the difference.
 */
export async function diffContent(
  before: ContentVersion | null,
  after: ContentVersion,
  { nodes, manifests }: Pick<ContentSources, 'nodes' | 'manifests'>,
): Promise<ContentChange[]> {
  const [tree, files, reusableContents, variables] = await Promise.all([
    diffTrees(before?.rootHash ?? null, after.rootHash, nodes),
    diffManifests<ManifestEntry>(before?.filesHash ?? null, after.filesHash, manifests),
    diffManifests<ManifestEntry>(before?.reusableContentsHash ?? null, after.reusableContentsHash, manifests),
    diffManifests<ManifestEntry>(before?.variablesHash ?? null, after.variablesHash, manifests),
  ]);
  return [
    ...pageChanges(tree),
    ...entryChanges('file', files),
    ...entryChanges('reusable_content', reusableContents),
    ...variableChanges(variables),
  ];
}

function pageChanges({ inserted, deleted, changed, moved, ancestors }: TreeDifference): ContentChange[] {
  const pairs = [...changed, ...moved, ...ancestors];
  const before = pagesIn([...deleted, ...pairs.map((pair) => pair.before)]);
  const after = pagesIn([...inserted, ...pairs.map((pair) => pair.after)]);
  const bothOf = (pair: PagePair) => ({ before: before.page(pair.before), after: after.page(pair.after) });
  const changes: { at: number[]; change: ContentChange }[] = [
    ...inserted.map((page) => ({
      at: after.at(page),
      change: { type: 'page_created' as const, page: after.page(page) },
    })),
    ...moved.map((pair) => ({
      at: after.at(pair.after),
      change: {
        type: 'page_moved' as const,
        ...bothOf(pair),
        parents: { before: before.parent(pair.before), after: after.parent(pair.after) },
      },
    })),
    ...changed.map((pair) => ({
      at: after.at(pair.after),
      change: { type: 'page_edited' as const, fields: pair.fields, ...bothOf(pair) },
    })),
    ...deleted.map((page) => ({
      at: before.at(page),
      change: { type: 'page_deleted' as const, page: before.page(page) },
    })),
  ];
  return changes.sort((a, b) => comparePlaces(a.at, b.at)).map(({ change }) => change);
}

/** Pages of a version. Their ancestors must be included. */
function pagesIn(placed: readonly PlacedPage[]) {
  const byId = new Map(placed.map((page) => [page.pageId, page]));
  const above = (page: PlacedPage) => byId.get(page.parentId ?? '');
  const pathTo = (page: PlacedPage | undefined): string => {
    if (page === undefined) return '';
    return pathOf(page.node, pathTo(above(page))) ?? '';
  };
  const pageOf = (page: PlacedPage): Page => {
    return { ...rowOf(page.node, { ...page, parentPath: pathTo(above(page)) }), node: page.node };
  };
  const at = (page: PlacedPage): number[] => {
    const parent = above(page);
    return [...(parent ? at(parent) : []), page.position];
  };
  return {
    page: pageOf,
    at,
    parent(page: PlacedPage): Page | null {
      const parent = above(page);
      return parent ? pageOf(parent) : null;
    },
  };
}

/** Reading order: parents before children. */
function comparePlaces(a: readonly number[], b: readonly number[]): number {
  const level = a.findIndex((place, index) => place !== b[index]);
  if (level === -1) return a.length - b.length;
  return (a[level] ?? 0) - (b[level] ?? -1);
}

function entryChanges<Kind extends 'file' | 'reusable_content'>(
  kind: Kind,
  { inserted, changed, removed }: ManifestDifference<ManifestEntry>,
): EntryChange<Kind>[] {
  return [
    ...inserted.map((entry) => ({ type: `${kind}_created` as const, entry })),
    ...changed.map((pair) => ({ type: `${kind}_edited` as const, ...pair })),
    ...removed.map((entry) => ({ type: `${kind}_deleted` as const, entry })),
  ];
}

function variableChanges({ inserted, changed, removed }: ManifestDifference<ManifestEntry>): ContentChange[] {
  const variables = [
    ...inserted.map((after) => ({ id: after.id, before: null, after })),
    ...changed.map((pair) => ({ id: pair.after.id, ...pair })),
    ...removed.map((before) => ({ id: before.id, before, after: null })),
  ];
  if (variables.length === 0) return [];
  return [{ type: 'variables_edited', variables: variables.sort((a, b) => (a.id < b.id ? -1 : 1)) }];
}
