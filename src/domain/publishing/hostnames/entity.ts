import { defineEntity, p } from '@mikro-orm/core';
import { reference, text, time } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

const HOSTNAME_STATUSES = ['dns_passed', 'dns_wrong_cname', 'dns_no_cname', 'internal_error'] as const;

/**
 * The result of the last check of a custom hostname for a site that claims it. It counts only as long as the site has
 * this hostname, so that a changed hostname is unverified. At most one claim is verified: the one that the DNS record
 * names.
 */
export const CustomHostname = defineEntity({
  name: 'CustomHostname',
  tableName: 'custom_hostname',
  properties: {
    hostname: text().primary(),
    siteId: text().primary(),
    organizationId: text(),
    status: p.enum(HOSTNAME_STATUSES),
    /** Time of the first of the successful checks since the last failure. Null if the last response was wrong. */
    verifiedAt: time().nullable(),
    checkedAt: time(),
    site: reference('Site', 'site_id'),
    organization: reference('Organization', 'organization_id'),
  },
  indexes: [
    { name: 'custom_hostname_site_index', properties: ['siteId'] },
    {
      name: 'custom_hostname_verified_unique',
      properties: ['hostname'],
      expression:
        'create unique index "custom_hostname_verified_unique" on "custom_hostname" ("hostname") where "verified_at" is not null',
    },
  ],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    custom_hostname: Table<typeof CustomHostname>;
  }
}
