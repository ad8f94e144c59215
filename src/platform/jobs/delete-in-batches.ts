import { sql } from 'kysely';
import { type Context, nowOf } from '../context/context.ts';

/** Rows that one statement deletes by default. Whoever waits for one of them waits for a short statement. */
const BATCH = 1_000;

/** Calls a function, which deletes up to `limit` rows and returns their number, until it finds fewer than that. */
export async function deleteInBatches(
  signal: AbortSignal,
  deleteSome: (limit: number) => Promise<number>,
  limit = BATCH,
): Promise<void> {
  for (let deleted = limit; deleted === limit; ) {
    signal.throwIfAborted();
    deleted = await deleteSome(limit);
  }
}

/** Tables whose rows end at their `expires_at`. */
type ExpiringTable =
  | 'oauth_record'
  | 'oidc_logout_token'
  | 'oidc_request'
  | 'passkey_challenge'
  | 'saml_request'
  | 'session'
  | 'sign_in_link'
  | 'upload';

/** Deletes the expired rows of a table. A row that is prolonged meanwhile stays. */
export const deleteExpired = (ctx: Context, table: ExpiringTable, signal: AbortSignal): Promise<void> =>
  deleteInBatches(signal, async (limit) => {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid in (
        select ctid from ${sql.table(table)} where expires_at <= ${nowOf(ctx)}::timestamptz
        limit ${sql.lit(limit)})`.execute(ctx.db);
    return Number(numAffectedRows);
  });
