import { hashToken } from '../../../platform/access/credentials.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { Database, Row } from '../../../platform/database/tables.ts';
import { newId } from '../../../platform/ids/ids.ts';

/** A token without its hash and origin. */
export type ApiTokenRow = Omit<Row<'api_token'>, 'secretHash' | 'samlProviderId'>;

export const API_TOKEN_COLUMNS = ['id', 'userId', 'label', 'scopes', 'expiresAt', 'lastUsedAt', 'createdAt'] as const;

/** Stores a token of a user by the hash of its secret. The secret cannot be read again. */
export function issueToken(
  db: Database,
  token: {
    secret: string;
    userId: string;
    label: string;
    /** The provider that the creating session was made with. */
    providerId?: string | null | undefined;
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
      samlProviderId: token.providerId ?? null,
      expiresAt: token.expiresAt ?? null,
      createdAt: token.now,
    })
    .returning(API_TOKEN_COLUMNS)
    .executeTakeFirstOrThrow();
}

/**
 * A valid token that was not created with SSO and is not restricted to scopes, with its owner. Undefined if there is
 * none. A transaction locks it: it is not revoked before what it proves is written.
 */
export const provingToken = (ctx: Context, token: string): Promise<Pick<ApiTokenRow, 'id' | 'userId'> | undefined> =>
  ctx.db
    .selectFrom('api_token')
    .where('secretHash', '=', hashToken(token.trim()))
    .where('samlProviderId', 'is', null)
    .where('scopes', 'is', null)
    .where((row) => row.or([row('expiresAt', 'is', null), row('expiresAt', '>', nowOf(ctx))]))
    .select(['id', 'userId'])
    .$if(ctx.inTransaction, (tokens) => tokens.forKeyShare())
    .executeTakeFirst();
