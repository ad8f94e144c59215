import { z } from 'zod';
import { isOperator, requireUserId } from '../../../platform/access/actor.ts';
import { makeToken } from '../../../platform/access/authenticate.ts';
import { type Context, nowOf } from '../../../platform/context.ts';
import { badInput, forbidden, notFound } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command, idOf } from '../../../platform/operation.ts';
import { nameOf } from '../../../platform/text.ts';
import { API_TOKEN_COLUMNS, type ApiTokenRow, issueToken } from './issue-token.ts';

export const createApiToken = command({
  name: 'createApiToken',
  description: 'Makes a personal access token, which can do what its user can. The secret is shown this once.',
  input: z.object({
    userId: idOf('user')
      .nullish()
      .describe('The user it is for; yourself when left out. Operators of this service alone may name another.'),
    label: nameOf(50).describe('What it is for, 1 to 50 characters, not only white space.'),
    expiresAt: z.iso
      .datetime({ offset: true, error: 'must be a time such as 2026-01-31T10:00:00Z (ISO 8601)' })
      .meta({ scalar: 'DateTime' })
      .nullish()
      .describe('When it ends, in the future. Without one it holds until it is revoked.'),
  }),
  authorize: async (ctx, { userId }) => ownerOf(ctx, userId || null),
  async run(ctx, { userId, label, expiresAt }): Promise<{ apiToken: ApiTokenRow; secret: string | null }> {
    const ownerId = ownerOf(ctx, userId);
    await rejectUnknown(ctx, ownerId);
    const ends = expiresAt == null ? null : new Date(expiresAt).toISOString();
    const now = nowOf(ctx);
    if (ends !== null && ends <= now) throw badInput(['expiresAt'], `must be in the future; it is ${now} now.`);
    const secret = makeToken();
    const apiToken = await issueToken(ctx.db, { secret, userId: ownerId, label, expiresAt: ends, now });
    const ids = { apiTokenId: apiToken.id, userId: ownerId };
    await recordEvent(ctx, { kind: 'api_token_created', organizationId: null, ids });
    return { apiToken, secret };
  },
  shownOnce: ['secret'],
  // Operators see tokens that they made for others here and nowhere else.
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

/** Whose token it becomes. Whether a named user exists is said to operators only. */
function ownerOf({ actor }: Context, userId: string | null | undefined): string {
  const self = requireUserId(actor);
  const ownerId = userId ?? self;
  if (ownerId === self || isOperator(actor)) return ownerId;
  throw forbidden('Only operators of this service may make tokens for other users.');
}

async function rejectUnknown({ db }: Context, userId: string): Promise<void> {
  const found = await db.selectFrom('user').where('id', '=', userId).select('id').executeTakeFirst();
  if (!found) throw badInput(['userId'], `There is no user "${userId}".`);
}
