import { z } from 'zod';
import { userIdOf } from '../../../platform/access/actor.ts';
import { nowOf } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { rejectAtLimit } from '../../../platform/operation/count-limit.ts';
import { command } from '../../../platform/operation/operation.ts';
import { lockCredential, permissions } from '../../people/access/index.ts';
import { authorizeSite, siteFor, siteName } from '../sites/index.ts';
import type { ShareLinkRow } from './load.ts';
import { MAX_SHARE_LINKS, shareLinkTitle } from './settings.ts';
import { newShareKey } from './share-key.ts';

const needed = permissions.createShareLink.site;

export const createShareLink = command({
  name: 'createShareLink',
  scope: 'publish',
  description:
    'Creates a share link of a site. Anyone with the link can read the site while it is published and its visibility is ' +
    `\`share-link\`. A site can have up to ${MAX_SHARE_LINKS} share links.`,
  input: z.object({ ...siteName, name: shareLinkTitle }),
  authorize: authorizeSite(needed),
  async run(ctx, { name, ...site }): Promise<ShareLinkRow> {
    const locks = { lock: 'for no key update' as const, changesAccess: true };
    const { id: siteId, organizationId } = await siteFor(ctx, site, needed, locks);
    await lockCredential(ctx);
    await rejectAtLimit(
      ctx,
      {
        name: `share links:${siteId}`,
        max: MAX_SHARE_LINKS,
        message: `This site already has ${MAX_SHARE_LINKS} share links. Revoke some first.`,
      },
      ctx.db.selectFrom('share_link').where('siteId', '=', siteId),
    );
    const [id, now] = [newId('sharelink'), nowOf(ctx)];
    const createdBy = userIdOf(ctx.actor) ?? null;
    const link = await ctx.db
      .insertInto('share_link')
      .values({ id, organizationId, siteId, name, ...newShareKey(ctx, id), createdBy, createdAt: now, updatedAt: now })
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordEvent(ctx, { kind: 'share_link_created', organizationId, ids: { siteId, shareLinkId: id } });
    return link;
  },
});
