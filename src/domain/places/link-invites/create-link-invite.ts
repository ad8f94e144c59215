import { z } from 'zod';
import { requireUserId } from '../../../platform/access/actor.ts';
import { nowOf } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { settingsSet } from '../../../platform/events/settings-changes.ts';
import { secretId } from '../../../platform/ids/ids.ts';
import { rejectAtLimit } from '../../../platform/operation/count-limit.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { lockCredential } from '../../people/access/index.ts';
import { authorizeTarget, authorizeTargetOfIds, organizationWithLinks, rejectWithoutLinks } from './access.ts';
import type { LinkInviteRow } from './load.ts';
import { expiryOf, linkSettings, MAX_LINK_INVITES } from './settings.ts';

export const createLinkInvite = command({
  name: 'createLinkInvite',
  scope: 'admin',
  description:
    'Creates a link that lets anyone with an account join an organization. For a link to a space or collection, set its ID and `level`. Requires the role `admin` on the target of the link. FORBIDDEN if the organization has ' +
    'turned off invite links.',
  input: z.object({
    organizationId: idOf('org'),
    spaceId: idOf('space').nullish().describe('ID of the space that the link leads to.'),
    collectionId: idOf('collection').nullish().describe('ID of the collection that the link leads to.'),
    ...linkSettings,
  }),
  authorize: (ctx, ids) => authorizeTargetOfIds(ctx, ids),
  async run(ctx, { organizationId, spaceId, collectionId, role, level, expiresAt }): Promise<LinkInviteRow> {
    const organization = await organizationWithLinks(ctx, organizationId);
    await authorizeTarget(ctx, organization, { spaceId, collectionId });
    rejectWithoutLinks(organization);
    await lockCredential(ctx);
    const isToContent = Boolean(spaceId ?? collectionId);
    if (isToContent && level == null)
      throw badInput(['level'], 'is required for links to a space or collection.', 'REQUIRED');
    await rejectAtLimit(
      ctx,
      {
        name: `link invites:${organizationId}`,
        max: MAX_LINK_INVITES,
        message: `This organization already has ${MAX_LINK_INVITES} invite links. Delete some of them first.`,
      },
      ctx.db.selectFrom('link_invite').where('organizationId', '=', organizationId),
    );
    const now = nowOf(ctx);
    const invite = await ctx.db
      .insertInto('link_invite')
      .values({
        id: secretId('invite'),
        organizationId,
        spaceId: spaceId ?? null,
        collectionId: collectionId ?? null,
        role: (isToContent ? level : role) ?? null,
        expiresAt: expiryOf(ctx, expiresAt) ?? null,
        createdBy: requireUserId(ctx.actor),
        createdAt: now,
        updatedAt: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    // The id is a secret, which events do not have.
    const changes = settingsSet({ role: invite.role, expiresAt: invite.expiresAt });
    await recordEvent(ctx, { kind: 'link_invite_created', organizationId, spaceId: spaceId ?? null, changes });
    return invite;
  },
});
