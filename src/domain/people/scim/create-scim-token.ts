import { z } from 'zod';
import { hashScimToken, makeScimToken } from '../../../platform/access/credentials.ts';
import { nowOf } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { settingsSet } from '../../../platform/events/settings-changes.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { rejectAtLimit } from '../../../platform/operation/count-limit.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { nameText } from '../../../platform/shapes/text.ts';
import { timeInput } from '../../../platform/shapes/time.ts';
import { lockCredential, organizationFor, permissions } from '../access/index.ts';
import { SCIM_TOKEN_COLUMNS, type ScimTokenRow } from './load-scim-token.ts';

const needed = permissions.createScimToken.organization;

/** Maximum number of SCIM tokens of an organization. */
const MAX_TOKENS = 20;

export const createScimToken = command({
  name: 'createScimToken',
  scope: 'admin',
  description: `Creates a token with which an identity provider provisions members and teams of an organization by SCIM, at \`/scim/v2/{organizationId}\`. It is not valid for anything else. The secret is returned only once. An organization can have up to ${MAX_TOKENS}.`,
  input: z.object({
    organizationId: idOf('org'),
    label: nameText(50).describe('Label of the token, 1 to 50 characters, not only whitespace.'),
    expiresAt: timeInput
      .nullish()
      .describe('Time in the future when the token expires. By default, the token is valid until it is revoked.'),
  }),
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, needed),
  async run(ctx, { organizationId, label, expiresAt }): Promise<{ scimToken: ScimTokenRow; secret: string | null }> {
    await organizationFor(ctx, organizationId, needed, 'for no key update');
    await lockCredential(ctx);
    await rejectAtLimit(
      ctx,
      {
        name: `SCIM tokens:${organizationId}`,
        max: MAX_TOKENS,
        message: `This organization already has ${MAX_TOKENS} SCIM tokens. Revoke one first.`,
      },
      ctx.db.selectFrom('scim_token').where('organizationId', '=', organizationId),
    );
    const now = nowOf(ctx);
    const ends = expiresAt ?? null;
    if (ends !== null && ends <= now)
      throw badInput(['expiresAt'], `must be in the future. The current time is ${now}.`, 'TOO_SMALL');
    const secret = makeScimToken();
    const id = newId('scimtoken');
    const scimToken = await ctx.db
      .insertInto('scim_token')
      .values({ id, organizationId, label, secretHash: hashScimToken(secret), expiresAt: ends, createdAt: now })
      .returning(SCIM_TOKEN_COLUMNS)
      .executeTakeFirstOrThrow();
    const changes = settingsSet({ label, expiresAt: ends });
    await recordEvent(ctx, { kind: 'scim_token_created', organizationId, ids: { scimTokenId: id }, changes });
    return { scimToken, secret };
  },
  shownOnce: ['secret'],
});
