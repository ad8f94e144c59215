import { defineEntity, p } from '@mikro-orm/core';
import { createdTime, flag, role, text } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';
import { changesAccess } from '../../people/access/index.ts';

export const SITE_TYPES = ['basic', 'premium', 'ultimate', 'sponsored', 'legacy-basic', 'legacy-premium'] as const;
export const SITE_VISIBILITIES = ['public', 'unlisted', 'share-link', 'visitor-auth'] as const;

/** A published set of spaces. */
export const Site = defineEntity({
  name: 'Site',
  tableName: 'site',
  properties: {
    id: text().primary(),
    organizationId: text(),
    type: p.enum(SITE_TYPES).default('basic'),
    title: text(),
    hostname: text().nullable(),
    basename: text().nullable(),
    visibility: p.enum(SITE_VISIBILITIES).default('public'),
    isPublished: flag(false),
    /** Null to inherit from the organization. */
    defaultLevel: role().nullable(),
    createdBy: text().nullable(),
    createdAt: createdTime(),
    updatedAt: createdTime(),
  },
  uniques: [
    { name: 'site_hostname_unique', properties: ['hostname'] },
    { name: 'site_basename_unique', properties: ['organizationId', 'basename'] },
  ],
  indexes: [{ name: 'site_organization_index', properties: ['organizationId', 'createdAt', 'id'] }],
  triggers: changesAccess('site'),
});

/** A space shown on a site. */
export const SiteSpace = defineEntity({
  name: 'SiteSpace',
  tableName: 'site_space',
  properties: {
    id: text().primary(),
    organizationId: text(),
    siteId: text(),
    spaceId: text(),
    path: text(),
    title: text().nullable(),
    rank: text().collation('C'),
    isDefault: flag(false),
    condition: text().nullable(),
    createdAt: createdTime(),
  },
  uniques: [
    { name: 'site_space_path_unique', properties: ['siteId', 'path'] },
    { name: 'site_space_rank_unique', properties: ['siteId', 'rank'] },
  ],
  indexes: [{ name: 'site_space_space_index', properties: ['spaceId', 'siteId'] }],
  triggers: changesAccess('site_space'),
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    site: Table<typeof Site>;
    site_space: Table<typeof SiteSpace>;
  }
}
