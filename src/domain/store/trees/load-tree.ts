import { type RawBuilder, sql } from 'kysely';
import { makeYielder } from '../../../lib/tick.ts';
import type { DocumentFields, LinkFields } from '../../../lib/tree/node.ts';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import type { Context } from '../../../platform/context/context.ts';
import { readStored } from '../../../platform/database/replicas/read-stored.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { batchLoader } from '../../../platform/reads/loader.ts';
import type { RevisionRow } from '../revisions/index.ts';
import { toHex } from '../revisions/index.ts';
import { type NodeRow, nodeColumns, nodeOf } from './node-source.ts';

/**
 * Weight of all cached trees, and of the largest one to be cached. A page weighs 1, and 1 more for each kilobyte of its
 * large fields, so that this bounds the memory.
 */
const REMEMBERED_WEIGHT = 40_000;
const MAX_CACHED_WEIGHT = 20_000;

/** Trees by organization and root hash. Both identify an immutable tree. */
const remembered = new Map<string, { pages: LoadedPage[]; weight: number }>();
let rememberedWeight = 0;

/**
 * All pages of a revision with their places and fields, siblings in order. A page can come before its parent, so that
 * the tree follows only from `parentId` (`assembleTree`). Trees of heads that are loaded at the same time are read from
 * the projection in one statement, all other trees with one recursive statement. Both are cached by root hash, outside
 * of transactions. Includes pages that are hidden from the caller.
 */
export const loadTree = (ctx: Context, revision: RevisionRow): Promise<LoadedPage[]> => {
  const cached = recall(`${revision.organizationId}/${toHex(revision.rootHash)}`);
  return cached ? Promise.resolve(cached) : load(ctx, keyOf(revision)).then((pages) => pages ?? []);
};

/** Pages of trees by their ids. A list of pages does not change, and the cached ones are those of all readers. */
const treesById = new WeakMap<readonly LoadedPage[], ReadonlyMap<string, LoadedPage>>();

/**
 * All pages of a revision by their ids, as `loadTree` returns them. Looking for many pages of a cached tree takes one
 * pass over its pages.
 */
export async function loadTreeById(ctx: Context, revision: RevisionRow): Promise<ReadonlyMap<string, LoadedPage>> {
  const tree = await loadTree(ctx, revision);
  const byId = treesById.get(tree) ?? new Map(tree.map((page) => [page.pageId, page]));
  treesById.set(tree, byId);
  return byId;
}

const keyOf = ({ id, organizationId, rootHash }: RevisionRow) => `${organizationId}/${toHex(rootHash)}/${id}`;

const load = batchLoader<LoadedPage[]>('tree', async (ctx, keys) => {
  const trees = await readStored(ctx, keys, readTrees);
  // A transaction can be rolled back, and times of pages are not part of the hash.
  if (ctx.inTransaction) return trees;
  for (const key of keys) await keep(key.slice(0, key.lastIndexOf('/')), trees.get(key) ?? []);
  return trees;
});

/** Trees by `keyOf`. Empty ones are left out, and so are those from a replica that lack a node. */
async function readTrees(db: Database, keys: string[], from: Server): Promise<Map<string, LoadedPage[]>> {
  const requests = keys.map((key) => {
    const [organizationId = '', root = '', revisionId = ''] = key.split('/');
    return { key, organizationId, root, revisionId };
  });
  const trees = new Map<string, LoadedPage[]>();
  const byRevision = new Map(requests.map(({ key, revisionId }) => [revisionId, key]));
  await pushAll(trees, readHeads(db, [...byRevision.keys()]), from, ({ revisionId }) => byRevision.get(revisionId));

  const others = requests.filter(({ key }) => !trees.has(key));
  const tops = others.map((tree) => ({ ...tree, hash: tree.root, parentId: null, path: '' }));
  if (tops.length > 0) await pushAll(trees, walk(db, tops), from, ({ key }) => key);
  return trees;
}

/**
 * The pages below a page of a revision with their places and fields, siblings in order. Only reads these pages, unless
 * the tree of the revision is cached, with one statement for several pages.
 */
export async function loadBelow(ctx: Context, revision: RevisionRow, page: LoadedPage): Promise<LoadedPage[]> {
  // Most pages have no children.
  if (page.node.children.length === 0) return [];
  const cached = recall(`${revision.organizationId}/${toHex(revision.rootHash)}`);
  if (cached) return cached;
  const { nodeHash, pageId, path } = page;
  return (await below(ctx, [revision.organizationId, nodeHash, pageId, path ?? ''].join('/'))) ?? [];
}

const below = batchLoader<LoadedPage[]>('pages below', (ctx, keys) => readStored(ctx, keys, readBelow));

async function readBelow(db: Database, keys: string[], from: Server): Promise<Map<string, LoadedPage[]>> {
  const tops = keys.map((key) => {
    const [organizationId = '', hash = '', parentId = '', ...path] = key.split('/');
    return { key, organizationId, hash, parentId, path: path.join('/') };
  });
  const trees = new Map<string, LoadedPage[]>();
  await pushAll(trees, walk(db, tops), from, ({ key }) => key);
  return trees;
}

/** Returns a cached tree and makes it the most recently used one. */
function recall(key: string): LoadedPage[] | undefined {
  const tree = remembered.get(key);
  if (tree) {
    remembered.delete(key);
    remembered.set(key, tree);
  }
  return tree?.pages;
}

async function keep(key: string, pages: LoadedPage[]): Promise<void> {
  const weight = await weightOf(pages);
  if (weight > MAX_CACHED_WEIGHT || remembered.has(key)) return;
  // An empty tree also takes up memory.
  remembered.set(key, { pages, weight: weight + 1 });
  rememberedWeight += weight + 1;
  for (const [oldest, tree] of remembered) {
    if (rememberedWeight <= REMEMBERED_WEIGHT) return;
    remembered.delete(oldest);
    rememberedWeight -= tree.weight;
  }
}

/** Trees that are too large to be cached are not weighed further. */
async function weightOf(pages: readonly LoadedPage[]): Promise<number> {
  let weight = pages.length;
  const pause = makeYielder();
  for (const { node } of pages) {
    if (weight > MAX_CACHED_WEIGHT) break;
    await pause();
    weight += sizeOfFields(node.fields) / 1_024;
  }
  return weight;
}

/** Characters of the fields that can be large. */
function sizeOfFields(fields: object): number {
  const { description = '', condition = '', ...more } = fields as Partial<DocumentFields>; // other kinds have fewer
  const { target } = fields as Partial<LinkFields>;
  const objects = [more.variables, more.metaLinks, more.computed, more.cover, more.tags, target];
  const isWritten = objects.some((object) => object !== undefined);
  return description.length + condition.length + (isWritten ? JSON.stringify(objects).length : 0);
}

/** A node and its place in the tree. */
export interface PlaceRow extends NodeRow {
  /** There is no node with the hash that the parent has. */
  isMissing?: boolean;
  parentId: string | null;
  position: number;
  path: string | null;
}

/** Number of rows that the database sends at once: so many take the driver a few milliseconds. */
const ROWS_PER_FETCH = 1_000;

/** Number of rows between two pauses: well under a millisecond. */
const ROWS_PER_SLICE = 100;

type Server = 'replica' | 'primary';

/**
 * Adds the pages of rows to their trees, with pauses. From a replica, trees that lack a node are left out; from the
 * primary, where that would be damage, only what is below the node.
 */
export async function pushAll<Row extends PlaceRow>(
  trees: Map<string, LoadedPage[]>,
  chunks: AsyncIterable<Row>,
  from: Server,
  keyOfRow: (row: Row) => string | undefined,
): Promise<void> {
  // All rows are read first: a pause in between would hold the connection, and count against the time limit of the
  // statement.
  const rows: Row[] = [];
  for await (const row of chunks) rows.push(row);
  const pause = makeYielder();
  const incomplete = new Set<string>();
  if (from === 'replica') for (const row of rows) if (row.isMissing) incomplete.add(keyOfRow(row) ?? '');
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_PER_SLICE === 0) await pause();
    const key = keyOfRow(row);
    if (key === undefined || row.isMissing || incomplete.has(key)) continue;
    const pages = trees.get(key);
    if (pages) pages.push(pageOf(row));
    else trees.set(key, [pageOf(row)]);
  }
}

/** A page from a node and its place. */
export function pageOf(row: PlaceRow): LoadedPage {
  const node = nodeOf(row);
  if (node.kind === 'root') throw new Error('A root is not a page.');
  return {
    pageId: node.pageId,
    parentId: row.parentId,
    position: row.position,
    path: row.path,
    title: node.fields.title,
    kind: node.kind,
    hidden: node.fields.hidden ?? false,
    documentHash: node.documentHash ?? null,
    nodeHash: toHex(row.hash),
    node,
  };
}

/** The pages of revisions that are the head of their space, which the same statement checks. */
const readHeads = (db: Database, revisionIds: string[]): AsyncIterable<PlaceRow & { revisionId: string }> =>
  stream(
    db,
    sql`
      select s.revision_id, h.parent_id, h.position, h.path, ${nodeColumns}
      from revision r
      join space s on s.id = r.space_id and s.revision_id = r.id
      join head_page h on h.space_id = s.id
      join page_node n on n.organization_id = h.organization_id and n.hash = h.node_hash
      where r.id = any(${revisionIds}::text[])
      order by s.revision_id, h.parent_id nulls first, h.position`,
  );

/** The node where a walk starts, with the id of its page and its path; null and '' for a root. */
interface Top {
  key: string;
  organizationId: string;
  hash: string;
  parentId: string | null;
  path: string;
}

/**
 * Reads all descendants of the given nodes in one recursive statement. A node is missing where garbage collection has
 * removed it before the same content was written again, which a replica has yet to replay.
 */
const walk = (db: Database, tops: Top[]): AsyncIterable<PlaceRow & { key: string }> =>
  stream(
    db,
    sql`
      with recursive tree as (
        select w.key, n.organization_id, c.hash, w.parent_id, c.place, w.path as parent_path, 1 as depth
        from unnest(${tops.map(({ key }) => key)}::text[], ${tops.map(({ organizationId }) => organizationId)}::text[],
          ${tops.map(({ hash }) => hash)}::text[], ${tops.map(({ parentId }) => parentId)}::text[],
          ${tops.map(({ path }) => path)}::text[]) as w(key, organization_id, hash, parent_id, path)
        join page_node n on n.organization_id = w.organization_id and n.hash = decode(w.hash, 'hex')
        cross join unnest(n.children) with ordinality as c(hash, place)
        union all
        select t.key, t.organization_id, c.hash, n.page_id, c.place,
          concat_ws('/', nullif(t.parent_path, ''), n.fields ->> 'slug'), t.depth + 1
        from tree t
        join page_node n on n.organization_id = t.organization_id and n.hash = t.hash
        cross join unnest(n.children) with ordinality as c(hash, place)
      )
      select t.key, n.hash is null as is_missing, t.parent_id, (t.place - 1)::int as position,
        case when n.kind <> 'link' then concat_ws('/', nullif(t.parent_path, ''), n.fields ->> 'slug') end as path, ${nodeColumns}
      from tree t left join page_node n on n.organization_id = t.organization_id and n.hash = t.hash
      order by t.key, t.depth, t.parent_id nulls first, t.place`,
  );

/** Runs a query whose rows arrive in chunks. */
export const stream = <Row>(db: Database, query: RawBuilder<Row>) =>
  db.selectFrom(sql<Row>`(${query})`.as('page')).selectAll().stream(ROWS_PER_FETCH) as AsyncIterable<Row>; // by the statement's type
