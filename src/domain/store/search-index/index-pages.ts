import { sql } from 'kysely';
import { type PageTerms, pageTerms } from '../../../lib/search/page-terms.ts';
import { makeYielder } from '../../../lib/tick.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { entryHash, INDEX_VERSION } from './entry-hash.ts';
import { type IndexedSpace, storeEntries } from './store-entries.ts';
import { storeWords } from './store-words.ts';

/** Number of pages that are read and written together. The terms of two batches are in memory at a time. */
const PAGES_PER_BATCH = 10;

/**
 * Updates the search index for added, changed and removed pages of a space's head projection, in the transaction that
 * changed the projection. The work is proportional to new text; text that is already indexed only costs a lookup.
 */
export async function indexPages(
  db: Database,
  target: IndexedSpace,
  { changed, removed = [] }: { changed: readonly string[]; removed?: readonly string[] },
): Promise<void> {
  if (removed.length > 0) {
    await db
      .deleteFrom('search_page')
      .where('spaceId', '=', target.spaceId)
      .where('pageId', '=', anyOf(removed))
      .execute();
  }
  const indexing: Indexing = { db, target, words: new Set() };
  let read: Batch | undefined;
  for (let at = 0; at < changed.length; at += PAGES_PER_BATCH) {
    const next = await readBatch(db, target, changed.slice(at, at + PAGES_PER_BATCH));
    await storeAndPrepare(indexing, read, next);
    if (indexing.words.size > MAX_WORDS) indexing.words.clear();
    read = next;
  }
  await storeAndPrepare(indexing, read, undefined);
}

/**
 * Copies the index of a space to another space of the organization with the same pages. The pages share their entries.
 */
export async function copyIndex(db: Database, fromSpaceId: string, toSpaceId: string): Promise<void> {
  const same = ['pageId', 'organizationId', 'entryId', 'nodeHash', 'noIndex', 'version'] as const;
  const pages = db.selectFrom('search_page').where('spaceId', '=', fromSpaceId);
  await db
    .insertInto('search_page')
    .columns([...same, 'spaceId'])
    .expression((builder) => pages.select([...same, builder.val(toSpaceId).as('toSpaceId')]))
    .execute();
  const itself = db.selectNoFrom((builder) => [
    builder.val(toSpaceId).as('spaceId'),
    builder.val(fromSpaceId).as('sourceId'),
  ]);
  await db
    .insertInto('search_source')
    .columns(['spaceId', 'sourceId'])
    .expression((builder) =>
      builder
        .selectFrom('search_source')
        .where('spaceId', '=', fromSpaceId)
        .select([builder.val(toSpaceId).as('spaceId'), 'sourceId'])
        .union(itself),
    )
    .execute();
}

/** A page to be indexed. */
export interface Indexable {
  pageId: string;
  title: string;
  description: string | null;
  noIndex: boolean;
  documentHash: string | null;
  nodeHash: string;
  /** Hash of the entry in hexadecimal. */
  hash: string;
}

interface Indexing {
  db: Database;
  target: IndexedSpace;
  /** Words that are stored by now, so that they are not looked up for each page. */
  words: Set<string>;
}

/** Bounds the memory for words. */
const MAX_WORDS = 200_000;

/** Pages to be indexed, with what their terms are made from. */
interface Batch {
  pages: readonly Indexable[];
  /** Ids of entries that exist, by hash. */
  entryIds: ReadonlyMap<string, number>;
  /** Sections by the hash of their document. */
  sections: ReadonlyMap<string, SectionRow[]>;
  /** Terms of the pages without an entry, by the hash of the entry. */
  terms: Map<string, PageTerms>;
}

interface SectionRow {
  document: string;
  title: string | null;
  body: string;
}

async function readBatch(db: Database, target: IndexedSpace, pageIds: readonly string[]): Promise<Batch> {
  const pages = await readChanged(db, target, pageIds);
  const entryIds = pages.length === 0 ? new Map() : await lockEntries(db, target, pages);
  const missing = pages.filter(({ hash }) => !entryIds.has(hash));
  return { pages, entryIds, sections: await sectionsOf(db, target, missing), terms: new Map() };
}

/**
 * Stores a batch and computes the terms of the next one at the same time, since the database and this process have a
 * processor each. Both have ended when this ends, so that no statement comes after the end of the transaction.
 */
async function storeAndPrepare(indexing: Indexing, batch: Batch | undefined, next: Batch | undefined) {
  const outcomes = await Promise.allSettled([batch && storeBatch(indexing, batch), next && addTerms(next)]);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

async function storeBatch({ db, target, words }: Indexing, { pages, entryIds, terms }: Batch): Promise<void> {
  if (pages.length === 0) return;
  const newWords = [...terms.values()].flatMap((page) => [...page.words]);
  await storeWords(db, target.organizationId, newWords, words);
  const added = await storeEntries(db, target, terms);
  await pointPages(db, target, pages, new Map([...entryIds, ...added]));
}

/** Pages whose node differs from the indexed one. Groups and links are not indexed. */
async function readChanged(
  db: Database,
  { organizationId, spaceId }: IndexedSpace,
  pageIds: readonly string[],
): Promise<Indexable[]> {
  const { rows } = await sql<Omit<Indexable, 'hash'>>`
    select h.page_id as "pageId", h.title, n.fields ->> 'description' as description,
      coalesce((n.fields ->> 'noIndex')::boolean, false) as "noIndex",
      encode(h.document_hash, 'hex') as "documentHash", encode(h.node_hash, 'hex') as "nodeHash"
    from head_page h
    join page_node n on n.organization_id = ${organizationId} and n.hash = h.node_hash
    left join search_page p on p.space_id = h.space_id and p.page_id = h.page_id
    where h.space_id = ${spaceId} and h.page_id = ${anyOf(pageIds)} and h.kind in ('document', 'computed')
      and (p.node_hash is distinct from h.node_hash or p.version <> ${sql.lit(INDEX_VERSION)})`.execute(db);
  return rows.map((page) => ({ ...page, hash: entryHash(spaceId, page) }));
}

/** Existing entries by hash. They are locked, so that they cannot be deleted before pages refer to them. */
async function lockEntries(
  db: Database,
  { organizationId }: IndexedSpace,
  pages: readonly Indexable[],
): Promise<Map<string, number>> {
  const hashes = [...new Set(pages.map((page) => page.hash))];
  const { rows } = await sql<{ id: number; hash: string }>`
    select id, encode(hash, 'hex') as hash from search_entry
    where organization_id = ${organizationId} and hash in (select decode(unnest(${hashes}::text[]), 'hex'))
    order by hash for key share`.execute(db);
  return new Map(rows.map(({ id, hash }) => [hash, id]));
}

async function sectionsOf(
  db: Database,
  { organizationId }: IndexedSpace,
  pages: readonly Indexable[],
): Promise<Map<string, SectionRow[]>> {
  const documents = pages.flatMap(({ documentHash }) => documentHash ?? []);
  if (documents.length === 0) return new Map();
  const { rows } = await sql<SectionRow>`
    select encode(document_hash, 'hex') as document, title, body from document_section
    where organization_id = ${organizationId} and document_hash in (select decode(unnest(${documents}::text[]), 'hex'))
    order by document_hash, position`.execute(db);
  return Map.groupBy(rows, ({ document }) => document);
}

async function addTerms({ pages, entryIds, sections, terms }: Batch): Promise<void> {
  const pause = makeYielder();
  for (const { hash, title, description, documentHash } of pages) {
    if (entryIds.has(hash) || terms.has(hash)) continue;
    const text = { title, description: description ?? '', sections: sections.get(documentHash ?? '') ?? [] };
    terms.set(hash, pageTerms(text));
    await pause();
  }
}

async function pointPages(
  db: Database,
  { organizationId, spaceId }: IndexedSpace,
  pages: readonly Indexable[],
  entries: ReadonlyMap<string, number>,
): Promise<void> {
  const rows = pages.map(({ pageId, nodeHash, noIndex, hash }) => ({
    pageId,
    nodeHash,
    noIndex,
    entryId: entries.get(hash),
  }));
  await sql`
    insert into search_page (space_id, page_id, organization_id, entry_id, node_hash, no_index, version)
    select ${spaceId}, p."pageId", ${organizationId}, p."entryId", decode(p."nodeHash", 'hex'), p."noIndex", ${sql.lit(INDEX_VERSION)}
    from json_to_recordset(${JSON.stringify(rows)}::json) as p("pageId" text, "entryId" bigint, "nodeHash" text, "noIndex" boolean)
    on conflict (space_id, page_id) do update set
      entry_id = excluded.entry_id, node_hash = excluded.node_hash, no_index = excluded.no_index,
      version = excluded.version`.execute(db);
}
