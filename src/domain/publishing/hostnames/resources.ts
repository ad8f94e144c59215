import { z } from 'zod';
import { resource } from '../../../platform/resource/resource.ts';
import { locationUrl } from '../../../platform/resource/urls.ts';
import { namedEnum } from '../../../platform/shapes/named-enum.ts';
import { loadSite, type SiteRow, site } from '../sites/index.ts';
import { hostnameCheck } from './access.ts';
import { cnameTarget } from './check-hostname.ts';

const hostnameStatus = namedEnum('CustomHostnameStatus', 'Result of a check of the DNS record of a custom hostname.', {
  dns_passed: 'The CNAME record points to the site.',
  dns_wrong_cname: 'The CNAME record points elsewhere.',
  dns_no_cname: 'The hostname has no CNAME record.',
  internal_error: 'No name server answered.',
});

const pointer = z.object({
  type: z.literal('site').describe('The hostname belongs to a site.'),
  site: z.string().describe('ID of the site.'),
});

const hostnameUrls = resource<{ hostname: string }>(
  { name: 'CustomHostnameUrls', description: 'API URLs of a custom hostname.' },
  (f) => ({
    location: f.url('URL of the hostname in the REST API.', ({ hostname }, ctx) =>
      locationUrl(ctx, `/v1/custom-hostnames/${hostname}`),
    ),
  }),
);

/** The hostname of a site that has one. */
export type HostnameRow = SiteRow & { hostname: string };

export const customHostname = resource<HostnameRow>(
  {
    name: 'CustomHostname',
    object: 'custom-hostname',
    description: 'A hostname at which a site is published once its DNS record is verified.',
  },
  (f) => ({
    hostname: f.string('Hostname in lowercase, such as docs.example.com.', ({ hostname }) => hostname),
    target: f.json(pointer)(
      'Resource that the hostname belongs to.',
      ({ id }) => ({ type: 'site' as const, site: id }),
      {
        graph: false,
      },
    ),
    site: f
      .object(() => site)
      .optional('Site that has the hostname.', ({ id }, ctx) => loadSite(ctx, id), {
        rest: false,
      }),
    isActive: f.boolean(
      'Whether the hostname is verified and serves the site.',
      async ({ id }, ctx) => (await hostnameCheck(ctx, id))?.isVerified ?? false,
    ),
    status: f
      .enum(hostnameStatus)
      .optional(
        'Result of the last check. Null before the first one.',
        async ({ id }, ctx) => (await hostnameCheck(ctx, id))?.status,
      ),
    checkedAt: f.time.optional(
      'Time of the last check. Null before the first one.',
      async ({ id }, ctx) => (await hostnameCheck(ctx, id))?.checkedAt,
    ),
    cname: f.string('Name that the CNAME record of the hostname must have.', ({ id }, ctx) => cnameTarget(ctx, id)),
    urls: f.object(() => hostnameUrls)('URLs of the hostname.', (row) => row),
  }),
);
