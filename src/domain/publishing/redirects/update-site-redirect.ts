import { z } from 'zod';
import { allUndefined } from '../../../lib/all-undefined.ts';
import { nowOf } from '../../../platform/context/context.ts';
import { entityFromRow } from '../../../platform/database/entity-from-row.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { settingsBetween } from '../../../platform/events/settings-changes.ts';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { ofSite } from '../structure/index.ts';
import { authorizeRedirect, redirectFor, siteRedirectId } from './access.ts';
import { checkedDestination, redirectDestination } from './destination.ts';
import { SiteRedirect } from './entity.ts';
import { settingsOf } from './settings.ts';
import { redirectSource, sourceKey } from './source.ts';

const needed = permissions.updateSiteRedirect.site;

export const updateSiteRedirect = command({
  name: 'updateSiteRedirect',
  scope: 'publish',
  description: 'Updates a redirect of a site. Omitted fields keep their values.',
  input: z.object({
    siteRedirectId,
    ...ofSite,
    source: redirectSource.optional(),
    destination: redirectDestination.optional().describe('Destination of the redirect.'),
    captureWildcard: z
      .boolean()
      .optional()
      .describe('Whether the part of the path that `*` matches is appended to the destination.'),
    permanent: z.boolean().optional().describe('Whether clients can cache the redirect permanently.'),
    draft: z.boolean().optional().describe('Whether the redirect is a draft. Drafts are not applied.'),
  }),
  versioned: 'siteRedirectId',
  authorize: authorizeRedirect(needed),
  async run(ctx, { source, destination, captureWildcard, permanent, draft, ...name }) {
    const { site, redirect: row } = await redirectFor(ctx, name, needed, { lock: true });
    const redirect = entityFromRow(ctx, SiteRedirect, row);
    const changes = {
      ...(source !== undefined && { source, ...sourceKey(source) }),
      destination: destination && (await checkedDestination(ctx, site.id, destination)),
      captureWildcard,
      isPermanent: permanent,
      isDraft: draft,
    };
    if (allUndefined(changes)) return redirect;
    const before = settingsOf(redirect);
    ctx.em.assign(redirect, { ...changes, updatedAt: nowOf(ctx) });
    await ctx.em.flush();
    const ids = { siteId: site.id, siteRedirectId: redirect.id };
    const { organizationId } = site;
    const changed = settingsBetween(before, settingsOf(redirect));
    await recordEvent(ctx, { kind: 'site_redirects_updated', organizationId, ids, changes: changed });
    return redirect;
  },
});
