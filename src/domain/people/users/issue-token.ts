import { hashToken } from '../../../platform/access/authenticate.ts';
import type { Database, Row } from '../../../platform/database/tables.ts';
import { newId } from '../../../platform/ids.ts';

/** A token as it is shown: everything but its hash. */
export type ApiTokenRow = Omit<Row<'api_token'>, 'secret_hash'>;

export const API_TOKEN_COLUMNS = ['id', 'user_id', 'label', 'expires_at', 'last_used_at', 'created_at'] as const;

/** Stores a token of a user by its hash. Whoever made the secret shows it; it cannot be read again. */
export function issueToken(
  db: Database,
  token: { secret: string; userId: string; label: string; expiresAt?: string | null; now: string },
): Promise<ApiTokenRow> {
  return db
    .insertInto('api_token')
    .values({
      id: newId('token'),
      user_id: token.userId,
      label: token.label,
      secret_hash: hashToken(token.secret),
      expires_at: token.expiresAt ?? null,
      created_at: token.now,
    })
    .returning(API_TOKEN_COLUMNS)
    .executeTakeFirstOrThrow();
}
