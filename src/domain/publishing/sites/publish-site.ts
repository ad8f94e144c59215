import { z } from 'zod';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeSite, siteForChange } from './access.ts';
import { setPublished } from './set-published.ts';
import { siteName } from './settings.ts';

const needed = permissions.publishSite.site;

export const publishSite = command({
  name: 'publishSite',
  scope: 'publish',
  description:
    'Publishes a site for the audience that its visibility defines. BAD_USER_INPUT if the site has no space.',
  input: z.object(siteName),
  versioned: 'siteId',
  authorize: authorizeSite(needed),
  async run(ctx, name) {
    const site = await siteForChange(ctx, name, needed, { changesAccess: true });
    const { id: siteId, organizationId } = site;
    if (!(await setPublished(ctx, site, true))) return { siteId };
    await recordEvent(ctx, { kind: 'site_published', organizationId, ids: { siteId } });
    return { siteId };
  },
});
