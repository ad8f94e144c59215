import { z } from 'zod';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeSite, siteForChange } from './access.ts';
import { setPublished } from './set-published.ts';
import { siteName } from './settings.ts';

const needed = permissions.unpublishSite.site;

export const unpublishSite = command({
  name: 'unpublishSite',
  scope: 'publish',
  description: 'Unpublishes a site. Its visitors lose access at once.',
  input: z.object(siteName),
  versioned: 'siteId',
  authorize: authorizeSite(needed),
  async run(ctx, name) {
    const site = await siteForChange(ctx, name, needed, { changesAccess: true });
    const { id: siteId, organizationId } = site;
    if (!(await setPublished(ctx, site, false))) return { siteId };
    await recordEvent(ctx, { kind: 'site_unpublished', organizationId, ids: { siteId } });
    return { siteId };
  },
});
