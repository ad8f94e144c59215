import { z } from 'zod';
import { orNull } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation/operation.ts';
import {
  accessInOrganization,
  noOrganizationAccessError,
  organizationFor,
  permissions,
} from '../../people/access/index.ts';
import { authorizeSite, siteFor } from './access.ts';
import { siteName } from './settings.ts';

const needed = permissions.deleteSite.site;

/** Tables with rows that belong to a site, with the column of the site's id. */
const ROWS_OF_A_SITE = {
  site_space: 'siteId',
  site_item: 'siteId',
  site_customization: 'siteId',
  site_redirect: 'siteId',
  custom_hostname: 'siteId',
  site_insight: 'siteId',
  share_link: 'siteId',
  site_auth: 'siteId',
  site_adaptive_schema: 'siteId',
  grant: 'targetId',
} as const;

export const deleteSite = command({
  name: 'deleteSite',
  scope: 'admin',
  description: 'Deletes a site with its structure and settings. The spaces are kept.',
  input: z.object(siteName),
  versioned: 'siteId',
  async authorize(ctx, ids) {
    if (ids.organizationId) await organizationFor(ctx, ids.organizationId, 'member');
    return orNull(authorizeSite(needed)(ctx, ids));
  },
  async run(ctx, name) {
    const { organizationId: owner } = name;
    // Without a lock: `siteFor` locks the access of the organization, and a weaker lock before it would be a deadlock.
    if (owner != null && !(await accessInOrganization(ctx, owner))) throw await noOrganizationAccessError(ctx, owner);
    const site = await orNull(siteFor(ctx, name, needed, { lock: 'for update', changesAccess: true }));
    if (!site) return { deletedId: null, organizationId: null };
    const { id: siteId, organizationId } = site;
    for (const [table, column] of Object.entries(ROWS_OF_A_SITE)) {
      await ctx.db
        .deleteFrom(table as keyof typeof ROWS_OF_A_SITE)
        .where(column as 'siteId', '=', siteId)
        .execute();
    }
    await ctx.db.deleteFrom('site').where('id', '=', siteId).execute();
    await ctx.db.updateTable('organization').set({ defaultSiteId: null }).where('defaultSiteId', '=', siteId).execute();
    await recordEvent(ctx, { kind: 'site_deleted', organizationId, ids: { siteId } });
    return { deletedId: siteId, organizationId };
  },
});
