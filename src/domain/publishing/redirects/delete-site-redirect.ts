import { z } from 'zod';
import { orNull } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { settingsRemoved } from '../../../platform/events/settings-changes.ts';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { siteFor } from '../sites/index.ts';
import { ofSite } from '../structure/index.ts';
import { authorizeRedirect, redirectFor, siteRedirectId } from './access.ts';
import { settingsOf } from './settings.ts';

const needed = permissions.deleteSiteRedirect.site;

export const deleteSiteRedirect = command({
  name: 'deleteSiteRedirect',
  scope: 'publish',
  description: 'Deletes a redirect of a site.',
  input: z.object({ siteRedirectId, ...ofSite }),
  versioned: 'siteRedirectId',
  async authorize(ctx, ids) {
    if (ids.siteId) await siteFor(ctx, { siteId: ids.siteId, organizationId: ids.organizationId || null }, needed);
    else await orNull(authorizeRedirect(needed)(ctx, ids));
  },
  async run(ctx, { siteId, ...name }) {
    if (siteId != null) await siteFor(ctx, { siteId, organizationId: name.organizationId }, needed);
    const match = await orNull(redirectFor(ctx, { ...name, siteId }, needed, { lock: true }));
    if (!match) return { deletedId: null, siteId: null };
    const { site, redirect } = match;
    await ctx.db.deleteFrom('site_redirect').where('id', '=', redirect.id).execute();
    const ids = { siteId: site.id, siteRedirectId: redirect.id };
    const { organizationId } = site;
    const changes = settingsRemoved(settingsOf(redirect));
    await recordEvent(ctx, { kind: 'site_redirects_updated', organizationId, ids, changes });
    return { deletedId: redirect.id, siteId: site.id };
  },
});
