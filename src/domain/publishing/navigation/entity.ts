import { p } from '@mikro-orm/core';
import { changes, createdTime, flag, raisesVersion, reference, text } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';
import { decides, defineDecisionEntity } from '../../people/access/index.ts';

/** A space on a site: at its root or, if the site has sections, in a section. */
export const SiteSpace = defineDecisionEntity({
  name: 'SiteSpace',
  tableName: 'site_space',
  properties: {
    id: text().primary(),
    organizationId: decides(text()),
    siteId: decides(text()),
    spaceId: decides(text()),
    /** Null at the root. */
    sectionId: decides(text().nullable()),
    path: text(),
    /** Fractional index among the spaces of the same section. */
    rank: text().collation('C'),
    isDefault: flag(false),
    condition: decides(text().nullable()),
    createdAt: createdTime(),
    updatedAt: createdTime(),
    version: changes(),
    organization: reference('Organization', 'organization_id'),
    site: reference('Site', 'site_id'),
    section: reference('SiteItem', 'section_id').nullable(),
    space: reference('Space', 'space_id'),
  },
  indexes: [
    { name: 'site_space_space_index', properties: ['spaceId', 'siteId'] },
    {
      name: 'site_space_level_path_unique',
      expression:
        'create unique index "site_space_level_path_unique" on "site_space" ("site_id", coalesce("section_id", \'\'), "path")',
    },
    {
      name: 'site_space_level_rank_unique',
      expression:
        'create unique index "site_space_level_rank_unique" on "site_space" ("site_id", coalesce("section_id", \'\'), "rank")',
    },
  ],
  triggers: [raisesVersion()],
});

const SITE_ITEM_KINDS = ['section', 'group', 'link'] as const;

/** A section, a group of sections, or an external link in the navigation of a site. They share one order per level. */
export const SiteItem = defineDecisionEntity({
  name: 'SiteItem',
  tableName: 'site_item',
  properties: {
    id: text().primary(),
    organizationId: decides(text()),
    siteId: decides(text()),
    kind: p.enum(SITE_ITEM_KINDS),
    /** The group that contains the item. Null at the root. */
    groupId: text().nullable(),
    /** Fractional index among the items of the same group. */
    rank: text().collation('C'),
    title: text(),
    description: text().nullable(),
    icon: text().nullable(),
    /** Of sections only. */
    path: text().nullable(),
    /** Of links only. */
    url: text().nullable(),
    condition: decides(text().nullable()),
    isDefault: flag(false),
    createdAt: createdTime(),
    updatedAt: createdTime(),
    version: changes(),
    organization: reference('Organization', 'organization_id'),
    site: reference('Site', 'site_id'),
    group: reference('SiteItem', 'group_id').nullable(),
  },
  uniques: [{ name: 'site_item_path_unique', properties: ['siteId', 'path'] }],
  indexes: [
    {
      name: 'site_item_level_rank_unique',
      expression:
        'create unique index "site_item_level_rank_unique" on "site_item" ("site_id", coalesce("group_id", \'\'), "rank")',
    },
  ],
  triggers: [raisesVersion()],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    site_space: Table<typeof SiteSpace>;
    site_item: Table<typeof SiteItem>;
  }
}
