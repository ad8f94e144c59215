import { p } from '@mikro-orm/core';
import type { z } from 'zod';
import { roleColumn } from '../../../platform/access/role-column.ts';
import { changes, createdTime, flag, jsonb, raisesVersion, text } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';
import { accessVersion, decides, defineDecisionEntity, hasAccessVersion } from '../access/index.ts';
import type {
  blockSource,
  organizationCommunityType,
  organizationPlan,
  organizationType,
  organizationUseCase,
} from './enums.ts';
import type { MergeRules } from './merge-rules.ts';

/** The owner of spaces, collections and sites. Nothing is shared between organizations. */
export const Organization = defineDecisionEntity({
  name: 'Organization',
  tableName: 'organization',
  properties: {
    id: decides(text().primary()),
    title: text(),
    emailDomains: p.array().columnType('text[]').defaultRaw(`'{}'`),
    hostname: text().nullable(),
    customHostname: text().nullable(),
    type: text().$type<z.infer<typeof organizationType>>().default('business'),
    useCase: text().$type<z.infer<typeof organizationUseCase>>().nullable(),
    communityType: text().$type<z.infer<typeof organizationCommunityType>>().nullable(),
    plan: text().$type<z.infer<typeof organizationPlan>>().default('enterprise_2024'),
    /** Role of users who join by email domain. Null for guests. */
    defaultRole: roleColumn().nullable(),
    defaultSiteId: text().nullable(),
    logo: text().nullable(),
    /** Set by operators. A blocked organization is read-only. */
    blocked: decides(jsonb<{ source?: z.infer<typeof blockSource>; reason: string }>().nullable()),
    sso: decides(flag(false)),
    ai: flag(true),
    inviteLinks: flag(true),
    mergeRules: jsonb<MergeRules>(),
    createdAt: createdTime(),
    updatedAt: createdTime(),
    version: changes(),
    accessVersion: accessVersion('id'),
  },
  uniques: [{ name: 'organization_hostname_unique', properties: ['hostname'] }],
  triggers: [raisesVersion(), ...hasAccessVersion()],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    organization: Table<typeof Organization>;
  }
}
