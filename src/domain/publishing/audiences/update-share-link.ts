import { z } from 'zod';
import { nowOf } from '../../../platform/context/context.ts';
import { entityFromRow } from '../../../platform/database/entity-from-row.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { watchSettings } from '../../../platform/events/settings-changes.ts';
import { command } from '../../../platform/operation/operation.ts';
import { ShareLink } from './entity.ts';
import { type ShareLinkRow, shareLinkFor, shareLinkNameOf } from './load.ts';
import { shareLinkName, shareLinkTitle } from './settings.ts';

export const updateShareLink = command({
  name: 'updateShareLink',
  scope: 'publish',
  description:
    'Renames, deactivates or reactivates a share link. An inactive link admits no visitors, and those whom it has admitted lose access at once. Omitted fields keep their values; BAD_USER_INPUT if all are omitted.',
  input: z.object({
    ...shareLinkName,
    name: shareLinkTitle.optional(),
    active: z.boolean().optional().describe('Whether the link admits visitors.'),
  }),
  versioned: 'shareLinkId',
  authorize: (ctx, ids) => shareLinkFor(ctx, shareLinkNameOf(ids)),
  async run(ctx, { name, active, ...params }): Promise<ShareLinkRow> {
    const link = entityFromRow(ctx, ShareLink, await shareLinkFor(ctx, params));
    if (name === undefined && active === undefined) throw badInput([], 'Set `name` or `active`.', 'REQUIRED');
    const { id, organizationId, siteId } = link;
    const changed = watchSettings(link, ['name', 'isActive']);
    ctx.em.assign(link, { name, isActive: active, updatedAt: nowOf(ctx) });
    await ctx.em.flush();
    const ids = { siteId, shareLinkId: id };
    await recordEvent(ctx, { kind: 'share_link_updated', organizationId, ids, changes: changed() });
    return link;
  },
});
