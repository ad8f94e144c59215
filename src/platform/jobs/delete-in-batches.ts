import { sql } from 'kysely';
import { type Context, nowOf } from '../context/context.ts';

/** Rows that one statement deletes by default: few, so that transactions that wait for one of them do not wait long. */
const ROWS_PER_BATCH = 1_000;

/**
 * Calls a function that deletes up to `limit` rows and returns their number, until it deletes fewer. What the last
 * batch missed, since others changed it meanwhile, is deleted next time.
 */
export async function deleteInBatches(
  signal: AbortSignal,
  deleteSome: (limit: number) => Promise<number>,
  limit = ROWS_PER_BATCH,
): Promise<void> {
  for (let deleted = limit; deleted === limit; ) {
    signal.throwIfAborted();
    deleted = await deleteSome(limit);
  }
}

/** Tables whose rows expire at their `expires_at`. */
type ExpiringTable =
  | 'email_invite'
  | 'email_verification'
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
    const isExpired = sql`expires_at <= ${nowOf(ctx)}::timestamptz`;
    // The condition is repeated, since PostgreSQL looks at it again for a row that has changed, and not at that of the
    // subquery.
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ${isExpired} and ctid in (
        select ctid from ${sql.table(table)} where ${isExpired} limit ${sql.lit(limit)})`.execute(ctx.db);
    return Number(numAffectedRows);
  });
