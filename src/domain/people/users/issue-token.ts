import { hashToken } from '../../../platform/access/authenticate.ts';
import type { Database, Row } from '../../../platform/database/tables.ts';
import { newId } from '../../../platform/ids.ts';

/** A token without its hash and origin. */
export type ApiTokenRow = Omit<Row<'api_token'>, 'secretHash' | 'samlProviderId'>;

export const API_TOKEN_COLUMNS = ['id', 'userId', 'label', 'expiresAt', 'lastUsedAt', 'createdAt'] as const;

/** Stores a token of a user by the hash of its secret. The secret cannot be read again. */
export function issueToken(
  db: Database,
  token: {
    secret: string;
    userId: string;
    label: string;
    /** The provider that the creating session was made with. */
    samlProviderId?: string | null | undefined;
    expiresAt?: string | null;
    now: string;
  },
): Promise<ApiTokenRow> {
  return db
    .insertInto('api_token')
    .values({
      id: newId('token'),
      userId: token.userId,
      label: token.label,
      secretHash: hashToken(token.secret),
      samlProviderId: token.samlProviderId ?? null,
      expiresAt: token.expiresAt ?? null,
      createdAt: token.now,
    })
    .returning(API_TOKEN_COLUMNS)
    .executeTakeFirstOrThrow();
}
