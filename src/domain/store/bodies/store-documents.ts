import { sql } from 'kysely';
import type { Context } from '../../../platform/context.ts';
import { nowOf } from '../../../platform/context.ts';
import { DERIVED_VERSION, type PreparedDocument } from './prepare-document.ts';

const MAX_TARGET = 200;

/** Number of Markdown characters per statement, because serializing a statement blocks the event loop. */
const BATCH_CHARACTERS = 200_000;

/**
 * Stores new bodies with their sections and references, using three statements per 200,000 characters of Markdown. The
 * writer of a body also writes everything that is derived from it.
 */
export async function storeDocuments(
  ctx: Context,
  organizationId: string,
  documents: readonly PreparedDocument[],
): Promise<void> {
  const unique = new Map(documents.map((document) => [document.hash, document]));
  const sorted = [...unique.values()].toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
  for (const batch of batchesOf(sorted)) await storeBatch(ctx, organizationId, batch);
}

function batchesOf(documents: readonly PreparedDocument[]): PreparedDocument[][] {
  const batches: PreparedDocument[][] = [];
  let room = 0;
  for (const document of documents) {
    room -= document.markdown.length;
    const batch = room < 0 ? undefined : batches.at(-1);
    if (batch) batch.push(document);
    else {
      batches.push([document]);
      room = BATCH_CHARACTERS - document.markdown.length;
    }
  }
  return batches;
}

async function storeBatch(ctx: Context, organizationId: string, sorted: readonly PreparedDocument[]): Promise<void> {
  const stored = `[${sorted.map(rowOf).join(',')}]`;
  const { rows } = await sql<{ hash: string }>`
    insert into document (organization_id, hash, body, markdown, anchors, derived_version, created_at)
    select ${organizationId}, decode(d.hash, 'hex'), d.body, d.markdown, d.anchors, ${sql.lit(DERIVED_VERSION)},
      ${nowOf(ctx)}::timestamptz
    from json_to_recordset(${stored}::json) as d(hash text, body json, markdown text, anchors text[])
    on conflict do nothing returning encode(hash, 'hex') as hash`.execute(ctx.db);
  const written = new Set(rows.map(({ hash }) => hash));
  const fresh = sorted.filter(({ hash }) => written.has(hash));
  await storeParts(ctx, organizationId, fresh);
}

/**
 * A row as JSON. The body stands in it as it is: as a string, it would be escaped and parsed once more. `body` is read
 * only without a text, since reading it may parse the text.
 */
function rowOf(document: PreparedDocument): string {
  const { hash, bodyText, markdown, anchors } = document;
  return `{"hash":"${hash}","body":${bodyText ?? JSON.stringify(document.body)},${JSON.stringify({ markdown, anchors }).slice(1)}`;
}

/** Stores the sections and references of documents that have none. */
export async function storeParts(
  ctx: Pick<Context, 'db'>,
  organizationId: string,
  documents: readonly PreparedDocument[],
): Promise<void> {
  await storeSections(ctx, organizationId, documents);
  await storeReferences(ctx, organizationId, documents);
}

async function storeSections(
  ctx: Pick<Context, 'db'>,
  organizationId: string,
  documents: readonly PreparedDocument[],
): Promise<void> {
  const rows = documents.flatMap(({ hash, sections }) =>
    sections.map((section, position) => ({ hash, position, ...section })),
  );
  if (rows.length === 0) return;
  await sql`
    insert into document_section (organization_id, document_hash, position, anchor, title, body)
    select ${organizationId}, decode(s.hash, 'hex'), s.position, s.anchor, s.title, s.body
    from json_to_recordset(${JSON.stringify(rows)}::json) as s(hash text, position int, anchor text, title text, body text)
    on conflict do nothing`.execute(ctx.db);
}

async function storeReferences(
  ctx: Pick<Context, 'db'>,
  organizationId: string,
  documents: readonly PreparedDocument[],
): Promise<void> {
  const rows = documents.flatMap(({ hash, references }) =>
    references.map(({ ref, relation, blockKey, operation }, position) => ({
      hash,
      position,
      kind: ref.kind,
      relation,
      target: targetOf(ref),
      space: 'space' in ref && ref.kind !== 'space' ? (ref.space ?? null) : null,
      block: blockKey,
      ref: JSON.stringify(operation === undefined ? ref : { ...ref, operation }),
    })),
  );
  if (rows.length === 0) return;
  await sql`
    insert into document_reference (organization_id, document_hash, position, kind, relation, target_id, target_space_id, block_key, ref)
    select ${organizationId}, decode(r.hash, 'hex'), r.position, r.kind, r.relation, r.target, r.space, r.block, r.ref::json
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(hash text, position int, kind text, relation text, target text,
      space text, block text, ref text)
    on conflict do nothing`.execute(ctx.db);
}

/** The id that a reference contains. URLs have none, and ids that are too long for an index entry cannot exist. */
function targetOf(ref: PreparedDocument['references'][number]['ref']): string | null {
  const named = {
    file: 'file' in ref ? ref.file : null,
    page: 'page' in ref ? ref.page : null,
    anchor: 'page' in ref ? ref.page : null,
    user: 'user' in ref ? ref.user : null,
    collection: 'collection' in ref ? ref.collection : null,
    space: 'space' in ref ? ref.space : null,
    'reusable-content': 'reusableContent' in ref ? ref.reusableContent : null,
    openapi: 'spec' in ref ? ref.spec : null,
    tag: null,
    url: null,
  }[ref.kind];
  return typeof named === 'string' && named.length <= MAX_TARGET ? named : null;
}
