import { p } from '@mikro-orm/core';
import { roleColumn } from '../../../platform/access/role-column.ts';
import {
  changes,
  createdTime,
  flag,
  jsonb,
  raisesVersion,
  reference,
  text,
} from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';
import { accessFormulas, decides, defineDecisionEntity } from '../../people/access/index.ts';
import type { SiteIcon } from './settings.ts';

const SITE_TYPES = ['basic', 'premium', 'ultimate', 'sponsored', 'legacy-basic', 'legacy-premium'] as const;
const SITE_VISIBILITIES = ['public', 'unlisted', 'share-link', 'visitor-auth'] as const;

/** A published set of spaces. */
export const Site = defineDecisionEntity({
  name: 'Site',
  tableName: 'site',
  properties: {
    id: decides(text().primary()),
    organizationId: decides(text()),
    type: p.enum(SITE_TYPES).default('basic'),
    title: text(),
    hostname: text().nullable(),
    basename: text().nullable(),
    /** Host and path at which a proxy of the organization serves the site. */
    proxyOrigin: text().nullable(),
    icon: jsonb<SiteIcon>().nullable(),
    visibility: decides(p.enum(SITE_VISIBILITIES).default('public')),
    isPublished: decides(flag(false)),
    /** Null to inherit from the organization. */
    defaultLevel: decides(roleColumn().nullable()),
    /** Whether content can depend on claims of visitors. */
    isAdaptive: decides(flag(false)),
    /** Whether agents can use the content of the site. */
    isForAgents: flag(true),
    createdBy: text().nullable(),
    createdAt: createdTime(),
    updatedAt: createdTime(),
    version: changes(),
    ...accessFormulas,
    organization: reference('Organization', 'organization_id'),
  },
  uniques: [
    { name: 'site_own_hostname_unique', properties: ['organizationId', 'hostname'] },
    { name: 'site_basename_unique', properties: ['organizationId', 'basename'] },
  ],
  indexes: [
    { name: 'site_hostname_index', properties: ['hostname'] },
    { name: 'site_organization_index', properties: ['organizationId', 'createdAt', 'id'] },
    {
      name: 'site_title_index',
      expression: 'create index "site_title_index" on "site" ("organization_id", lower("title"), "id")',
    },
  ],
  triggers: [raisesVersion()],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    site: Table<typeof Site>;
  }
}
