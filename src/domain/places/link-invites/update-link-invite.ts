import { z } from 'zod';
import { nowOf } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { watchSettings } from '../../../platform/events/settings-changes.ts';
import { command } from '../../../platform/operation/operation.ts';
import { linkFor, linkName, linkNameOf } from './access.ts';
import type { LinkInviteRow } from './load.ts';
import { expiryOf, linkSettings } from './settings.ts';

export const updateLinkInvite = command({
  name: 'updateLinkInvite',
  scope: 'admin',
  description:
    'Changes the role that an invite link gives, or its expiry. Omitted fields keep their values. People who have joined with the link keep their role.',
  input: z.object({ ...linkName, ...linkSettings }),
  versioned: 'inviteId',
  authorize: (ctx, ids) => linkFor(ctx, linkNameOf(ids)),
  async run(ctx, { role, level, expiresAt, ...name }): Promise<LinkInviteRow> {
    const link = await linkFor(ctx, name);
    const { organizationId, spaceId, collectionId } = link;
    const isToContent = spaceId !== null || collectionId !== null;
    const [newRole, other] = isToContent ? ([level, role] as const) : ([role, level] as const);
    if (isToContent && level === null)
      throw badInput(['level'], 'cannot be null for links to a space or collection.', 'REQUIRED');
    if (other !== undefined) {
      const [wrong, right] = isToContent ? ['role', 'level'] : ['level', 'role'];
      throw badInput([wrong ?? ''], `does not apply to this link. Set \`${right}\`.`);
    }
    const changed = watchSettings(link, ['role', 'expiresAt']);
    ctx.em.assign(link, { role: newRole, expiresAt: expiryOf(ctx, expiresAt), updatedAt: nowOf(ctx) });
    await ctx.em.flush();
    await recordEvent(ctx, { kind: 'link_invite_updated', organizationId, spaceId, changes: changed() });
    return link;
  },
});
