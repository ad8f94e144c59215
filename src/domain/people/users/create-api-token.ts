import { z } from 'zod';
import { isOperator, requireUserId, ssoOf } from '../../../platform/access/actor.ts';
import { hashToken, makeToken } from '../../../platform/access/credentials.ts';
import { type Scope, scope } from '../../../platform/access/scopes.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { badInput, forbidden, notFound } from '../../../platform/errors/errors.ts';
import { settingsSet } from '../../../platform/events/settings-changes.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { nameText } from '../../../platform/shapes/text.ts';
import { timeInput } from '../../../platform/shapes/time.ts';
import { lockCredential, recordAccountEvent } from '../access/index.ts';
import { API_TOKEN_COLUMNS, type ApiTokenRow } from './issue-token.ts';

export const createApiToken = command({
  name: 'createApiToken',
  scope: 'admin',
  description:
    'Creates a personal access token with all permissions of its user, or restricted to scopes. The secret is returned only once. A token that is created in an SSO session gives access to its organization only. Such a token cannot create others, and neither can a restricted one, which never acts as an operator of the service.',
  input: z.object({
    userId: idOf('user')
      .nullish()
      .describe(
        'ID of the owner of the token. By default, you. Only operators of the service can specify another user.',
      ),
    label: nameText(50).describe('Label of the token, 1 to 50 characters, not only whitespace.'),
    scopes: z
      .array(scope)
      .min(1)
      .max(10)
      .nullish()
      .describe(
        'Scopes that the token is restricted to. It can always read what its user can read. By default, the token has all permissions of its user.',
      ),
    expiresAt: timeInput
      .nullish()
      .describe('Time in the future when the token expires. By default, the token is valid until it is revoked.'),
  }),
  authorize: async (ctx, { userId }) => ownerOf(ctx, userId || null),
  async run(ctx, { userId, label, scopes, expiresAt }): Promise<{ apiToken: ApiTokenRow; secret: string | null }> {
    const ownerId = ownerOf(ctx, userId);
    const ends = expiresAt ?? null;
    const now = nowOf(ctx);
    if (ends !== null && ends <= now)
      throw badInput(['expiresAt'], `must be in the future. The current time is ${now}.`, 'TOO_SMALL');
    const secret = makeToken({ isRestricted: scopes != null });
    const restriction = scopes == null ? null : [...new Set<Scope>(['read', ...scopes])];
    const id = newId('token');
    await lockCredential(ctx);
    const owner = await ctx.db
      .selectFrom('user')
      .where('id', '=', ownerId)
      .select('id')
      .forKeyShare()
      .executeTakeFirst();
    if (!owner) throw badInput(['userId'], `User "${ownerId}" does not exist.`, 'NOT_FOUND');
    const apiToken = await ctx.db
      .insertInto('api_token')
      .values({
        id,
        userId: ownerId,
        label,
        scopes: restriction,
        secretHash: hashToken(secret),
        samlProviderId: ssoOf(ctx.actor)?.providerId ?? null,
        expiresAt: ends,
        createdAt: now,
      })
      .returning(API_TOKEN_COLUMNS)
      .executeTakeFirstOrThrow();
    const ids = { apiTokenId: id, userId: ownerId };
    const event = { kind: 'api_token_created' as const, ids, changes: settingsSet({ label, expiresAt: ends }) };
    await recordAccountEvent(ctx, event, ssoOf(ctx.actor)?.organizationId);
    return { apiToken, secret };
  },
  shownOnce: ['secret'],
  // Operators cannot load tokens that they created for other users.
  async readAgain(ctx, { apiToken: { id } }) {
    const apiToken = await ctx.db
      .selectFrom('api_token')
      .where('id', '=', id)
      .select(API_TOKEN_COLUMNS)
      .executeTakeFirst();
    if (!apiToken) throw notFound('token', id);
    ownerOf(ctx, apiToken.userId);
    return { apiToken, secret: null };
  },
});

/** Owner of the new token. Only operators learn whether another user exists. */
function ownerOf({ actor }: Context, userId: string | null | undefined): string {
  const self = requireUserId(actor);
  if (actor.kind === 'user' && actor.sso && actor.by === 'token') {
    throw forbidden('This token was created in an SSO session. Sign in with SSO to create another one.');
  }
  if (actor.kind === 'user' && actor.scopes) {
    throw forbidden('This token is restricted to scopes. Use one without scopes to create another one.');
  }
  const ownerId = userId ?? self;
  if (ownerId === self || isOperator(actor)) return ownerId;
  throw forbidden('Only operators of the service can create tokens for other users.');
}
