import { defineEntity } from '@mikro-orm/core';
import { json, reference, text, time } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';
import type { Customization, CustomizationOverride } from './customization.ts';

/** The appearance of a site, or what differs from it for one of its spaces. */
export const SiteCustomization = defineEntity({
  name: 'SiteCustomization',
  tableName: 'site_customization',
  properties: {
    /** The id of a site or of a site space. */
    targetId: text().primary(),
    organizationId: text(),
    siteId: text(),
    settings: json<Customization | CustomizationOverride>(),
    updatedAt: time(),
    organization: reference('Organization', 'organization_id'),
    site: reference('Site', 'site_id'),
  },
  indexes: [{ name: 'site_customization_site_index', properties: ['siteId'] }],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    site_customization: Table<typeof SiteCustomization>;
  }
}
