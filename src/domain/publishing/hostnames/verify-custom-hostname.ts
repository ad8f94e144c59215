import { z } from 'zod';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeHostname, hostname, siteOfHostname } from './access.ts';
import { dnsStatus, storeStatus } from './check-hostname.ts';

const needed = permissions.verifyCustomHostname.site;

export const verifyCustomHostname = command({
  name: 'verifyCustomHostname',
  description:
    'Checks the DNS record of a custom hostname now. A published site whose hostname is verified has its URLs there. Hostnames are also checked every ten minutes, and once a day after they are verified.',
  input: z.object({ hostname }),
  authorize: authorizeHostname(needed),
  async prepare(ctx, { hostname: name }) {
    const { id: siteId, organizationId } = await siteOfHostname(ctx, name, needed);
    return dnsStatus(ctx, { siteId, organizationId, hostname: name });
  },
  async run(ctx, { hostname: name }, status) {
    const site = await siteOfHostname(ctx, name, needed, { lock: 'for no key update' });
    const { id: siteId, organizationId } = site;
    await storeStatus(ctx, { siteId, organizationId, hostname: name }, status);
    await recordEvent(ctx, { kind: 'site_hostname_checked', organizationId, ids: { siteId } });
    return { siteId };
  },
});
