import { sql } from 'kysely';
import { makeYielder, type Yielder } from '../../../lib/tick.ts';
import type { Context } from '../../../platform/context/context.ts';
import { nowOf } from '../../../platform/context/context.ts';
import { type BodyRows, bodyRows, DERIVED_VERSION, type PreparedDocument } from '../prepared-bodies/index.ts';
import { jsonRows } from './json-rows.ts';

/** Number of bytes of rows per statement, because preparing a statement blocks the event loop. */
const BATCH_BYTES = 1024 * 1024;

/**
 * Stores new bodies with their sections and references, using three statements per megabyte of rows. The writer of a
 * body also writes everything that is derived from it.
 */
export async function storeDocuments(
  ctx: Context,
  organizationId: string,
  documents: readonly PreparedDocument[],
): Promise<void> {
  await storeRows(ctx, organizationId, documents, bodyRows);
}

/** Stores new bodies that are rows already. */
export async function storeBodyRows(ctx: Context, organizationId: string, rows: readonly BodyRows[]): Promise<void> {
  await storeRows(ctx, organizationId, rows, (row) => row);
}

async function storeRows<Body extends { hash: string }>(
  ctx: Context,
  organizationId: string,
  bodies: readonly Body[],
  rowsOf: (body: Body, pause: Yielder) => BodyRows | Promise<BodyRows>,
): Promise<void> {
  const unique = new Map(bodies.map((body) => [body.hash, body]));
  const sorted = [...unique.values()].toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
  const pause = makeYielder();
  let batch: BodyRows[] = [];
  let size = 0;
  for (const body of sorted) {
    const rows = await rowsOf(body, pause);
    await pause();
    if (batch.length > 0 && size + rows.document.length > BATCH_BYTES) {
      await storeBatch(ctx, organizationId, batch, pause);
      [batch, size] = [[], 0];
    }
    batch.push(rows);
    size += rows.document.length;
  }
  if (batch.length > 0) await storeBatch(ctx, organizationId, batch, pause);
}

async function storeBatch(
  ctx: Context,
  organizationId: string,
  sorted: readonly BodyRows[],
  pause: Yielder,
): Promise<void> {
  const stored = jsonRows(sorted.map(({ document }) => document));
  await pause();
  const { rows } = await sql<{ hash: string }>`
    insert into document (organization_id, hash, body, markdown, anchors, uses, derived_version, created_at)
    select ${organizationId}, decode(d.hash, 'hex'), d.body, d.markdown, d.anchors, d.uses, ${sql.lit(DERIVED_VERSION)},
      ${nowOf(ctx)}::timestamptz
    from json_to_recordset(${stored}) as d(hash text, body json, markdown text, anchors text[], uses json)
    on conflict do nothing returning encode(hash, 'hex') as hash`.execute(ctx.db);
  const insertedHashes = new Set(rows.map(({ hash }) => hash));
  const fresh = sorted.filter(({ hash }) => insertedHashes.has(hash));
  await storeParts(ctx, organizationId, fresh);
}

/** Stores the sections and references of documents that have none. */
export async function storeParts(
  ctx: Pick<Context, 'db'>,
  organizationId: string,
  documents: readonly Pick<BodyRows, 'sections' | 'references'>[],
): Promise<void> {
  const [sections, references] = (['sections', 'references'] as const).map((part) =>
    documents.map((rows) => rows[part]).filter(({ length }) => length > 0),
  );
  if (sections?.length) {
    await sql`
      insert into document_section (organization_id, document_hash, position, anchor, title, body)
      select ${organizationId}, decode(s.hash, 'hex'), s.position, s.anchor, s.title, s.body
      from json_to_recordset(${jsonRows(sections)}) as s(hash text, position int, anchor text, title text, body text)
      on conflict do nothing`.execute(ctx.db);
  }
  if (references?.length) {
    await sql`
      insert into document_reference (organization_id, document_hash, position, kind, relation, target_id, target_space_id, block_key, ref)
      select ${organizationId}, decode(r.hash, 'hex'), r.position, r.kind, r.relation, r.target, r.space, r.block, r.ref::json
      from json_to_recordset(${jsonRows(references)}) as r(hash text, position int, kind text, relation text, target text,
        space text, block text, ref text)
      on conflict do nothing`.execute(ctx.db);
  }
}
