import { z } from 'zod';
import { nowOf } from '../../../platform/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { ofSite } from '../structure/index.ts';
import { authorizeRedirect, redirectFor, siteRedirectId } from './access.ts';
import { checkedDestination, redirectDestination } from './destination.ts';
import { redirectSource, sourceKey } from './source.ts';

const needed = permissions.updateSiteRedirect.site;

export const updateSiteRedirect = command({
  name: 'updateSiteRedirect',
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
    const { site, redirect } = await redirectFor(ctx, name, needed, { lock: true });
    const stored = destination && (await checkedDestination(ctx, site.id, destination));
    const changes = {
      ...(source !== undefined && { source, ...sourceKey(source) }),
      ...(stored && { destination: JSON.stringify(stored) as never }),
      captureWildcard,
      isPermanent: permanent,
      isDraft: draft,
    };
    if (Object.values(changes).every((value) => value === undefined)) return redirect;
    const changed = await ctx.db
      .updateTable('site_redirect')
      .set({ ...changes, updatedAt: nowOf(ctx) })
      .where('id', '=', redirect.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const ids = { siteId: site.id, siteRedirectId: redirect.id };
    await recordEvent(ctx, { kind: 'site_redirects_updated', organizationId: site.organizationId, ids });
    return changed;
  },
});
