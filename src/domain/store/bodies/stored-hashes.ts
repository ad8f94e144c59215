import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';

/** Number of hashes in one statement. */
const HASHES_PER_STATEMENT = 1_000;

/** Those of the hashes, in hexadecimal, that an organization has stored documents or texts for. */
export async function storedHashes(
  ctx: Context,
  organizationId: string,
  { table, hashes }: { table: 'document' | 'source_text'; hashes: readonly string[] },
): Promise<Set<string>> {
  const stored = new Set<string>();
  for (let from = 0; from < hashes.length; from += HASHES_PER_STATEMENT) {
    const some = hashes.slice(from, from + HASHES_PER_STATEMENT).map((hash) => Buffer.from(hash, 'hex'));
    const { rows } = await sql<{ hash: string }>`
      select encode(t.hash, 'hex') as hash from ${sql.table(table)} t
      where t.organization_id = ${organizationId} and t.hash = any(${some}::bytea[])`.execute(ctx.db);
    for (const { hash } of rows) stored.add(hash);
  }
  return stored;
}
