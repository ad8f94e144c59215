import { sql } from 'kysely';
import { z } from 'zod';
import { rejectLimitedReach, requireUserId } from '../../../platform/access/actor.ts';
import { query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { newestFirst } from '../../../platform/paging/order.ts';
import { PASSKEY_COLUMNS, type PasskeyRow } from './load-passkey.ts';

const passkeysOfUser = listing<object, PasskeyRow>({
  name: 'user.passkeys',
  from: 'passkey as p',
  select: sql.join(PASSKEY_COLUMNS.map((column) => sql.ref(`p.${column}`))),
  parent: 'userId',
  order: newestFirst,
});

export const listPasskeys = query({
  name: 'listPasskeys',
  description:
    'Lists your passkeys, newest first. They are made at `/account`. FORBIDDEN in an SSO session, and for an application that is limited to some of your organizations.',
  input: z.object({}),
  async run(ctx) {
    const userId = requireUserId(ctx.actor);
    rejectLimitedReach(ctx.actor);
    return passkeysOfUser(ctx, userId, {});
  },
});
