import { z } from 'zod';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeHostname, hostname, sitesOfHostname, siteWithHostname } from './access.ts';
import { dnsStatusOfSites, storeStatus } from './check-hostname.ts';

const needed = permissions.verifyCustomHostname.site;

export const verifyCustomHostname = command({
  name: 'verifyCustomHostname',
  scope: 'publish',
  description:
    'Checks the DNS record of a custom hostname now. If several of your sites claim it, the site that the record names is verified. The URLs of a published site then use the hostname. Hostnames are also checked every ten minutes, and once a day after they are verified.',
  input: z.object({ hostname }),
  authorize: authorizeHostname(needed),
  async prepare(ctx, { hostname: name }) {
    return dnsStatusOfSites(ctx, name, await sitesOfHostname(ctx, name, needed));
  },
  async run(ctx, { hostname: name }, { siteId, status }) {
    const { organizationId } = await siteWithHostname(ctx, { siteId, hostname: name }, needed, {
      lock: 'for no key update',
    });
    await storeStatus(ctx, { siteId, organizationId, hostname: name }, status);
    await recordEvent(ctx, { kind: 'site_hostname_checked', organizationId, ids: { siteId } });
    return { siteId };
  },
});
