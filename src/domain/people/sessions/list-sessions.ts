import { sql } from 'kysely';
import { z } from 'zod';
import { requireUserId } from '../../../platform/access/actor.ts';
import { nowOf } from '../../../platform/context/context.ts';
import { query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { newestFirst } from '../../../platform/paging/order.ts';
import { isOwnToken } from '../users/index.ts';
import { SESSION_COLUMNS, type SessionRow } from './load-session.ts';

/** Sessions from before they had an id get one with their next use. */
const sessionsOfUser = listing<object, SessionRow>({
  name: 'user.sessions',
  from: 'session as s',
  select: sql.join(SESSION_COLUMNS.map((column) => sql.ref(`s.${column}`))),
  parent: 'userId',
  where: (_args, { ctx }) => [
    isOwnToken(ctx.actor, 's'),
    sql`s.id is not null`,
    sql`s.expires_at > ${nowOf(ctx)}::timestamptz`,
  ],
  order: newestFirst,
});

export const listSessions = query({
  name: 'listSessions',
  description:
    'Lists the sessions in which you are signed in with a browser, newest first. In an SSO session, only those that were started with the same identity provider.',
  input: z.object({}),
  run: async (ctx) => sessionsOfUser(ctx, requireUserId(ctx.actor), {}),
});
