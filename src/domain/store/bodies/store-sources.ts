import { sql } from 'kysely';
import { type Context, nowOf } from '../../../platform/context.ts';
import type { PreparedSource } from './source-text.ts';

/** Number of characters per statement, because serializing a statement blocks the event loop. */
const BATCH_CHARACTERS = 200_000;

/** Stores new texts in the order of their hashes, with one statement per 200,000 characters. */
export async function storeSources(
  ctx: Context,
  organizationId: string,
  sources: readonly PreparedSource[],
): Promise<void> {
  const unique = new Map(sources.map((source) => [source.hash, source]));
  const sorted = [...unique.values()].toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
  let batch: PreparedSource[] = [];
  let size = 0;
  for (const source of sorted) {
    if (batch.length > 0 && size + source.body.length > BATCH_CHARACTERS) {
      await storeBatch(ctx, organizationId, batch);
      [batch, size] = [[], 0];
    }
    batch.push(source);
    size += source.body.length;
  }
  if (batch.length > 0) await storeBatch(ctx, organizationId, batch);
}

const storeBatch = (ctx: Context, organizationId: string, batch: readonly PreparedSource[]) =>
  sql`
    insert into source_text (organization_id, hash, head, body, document, links, created_at)
    select ${organizationId}, decode(s.hash, 'hex'), s.head, s.body, s.document, s.links, ${nowOf(ctx)}::timestamptz
    from json_to_recordset(${JSON.stringify(batch)}::json) as s(hash text, head text, body text, document text, links json)
    on conflict do nothing`.execute(ctx.db);
