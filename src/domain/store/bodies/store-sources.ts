import { sql } from 'kysely';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { PreparedSource } from '../prepared-bodies/index.ts';
import { type SourceRow, sourceText } from '../prepared-bodies/index.ts';
import { jsonRows } from './json-rows.ts';

/** Number of bytes per statement, because preparing a statement blocks the event loop. */
const BATCH_BYTES = 512 * 1024;

/** Stores new texts in the order of their hashes, with one statement per half megabyte. */
export const storeSources = (ctx: Context, organizationId: string, sources: readonly PreparedSource[]): Promise<void> =>
  storeSourceRows(
    ctx,
    organizationId,
    sources.map((source) => ({ hash: source.hash, row: Buffer.from(sourceText(source)) })),
  );

/** Stores new texts that are rows already. */
export async function storeSourceRows(
  ctx: Context,
  organizationId: string,
  sources: readonly SourceRow[],
): Promise<void> {
  const unique = new Map(sources.map((source) => [source.hash, source]));
  const sorted = [...unique.values()].toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
  let batch: Buffer[] = [];
  let size = 0;
  for (const { row } of sorted) {
    if (batch.length > 0 && size + row.length > BATCH_BYTES) {
      await storeBatch(ctx, organizationId, batch);
      [batch, size] = [[], 0];
    }
    batch.push(row);
    size += row.length;
  }
  if (batch.length > 0) await storeBatch(ctx, organizationId, batch);
}

const storeBatch = (ctx: Context, organizationId: string, batch: readonly Buffer[]) =>
  sql`
    insert into source_text (organization_id, hash, head, body, document, links, created_at)
    select ${organizationId}, decode(s.hash, 'hex'), s.head, s.body, s.document, s.links, ${nowOf(ctx)}::timestamptz
    from json_to_recordset(${jsonRows(batch)}) as s(hash text, head text, body text, document text, links json)
    on conflict do nothing`.execute(ctx.db);
