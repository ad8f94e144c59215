import { defineEntity, p } from '@mikro-orm/core';
import { reference, text } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

export const INSIGHT_KINDS = ['event', 'page', 'referrer', 'search'] as const;

/** Counters of events on a published site on one day, without data that identifies visitors. */
export const SiteInsight = defineEntity({
  name: 'SiteInsight',
  tableName: 'site_insight',
  properties: {
    siteId: text().primary(),
    day: p.date().$type<string>().primary(),
    kind: p.enum(INSIGHT_KINDS).primary(),
    /** Type of the event, id of the viewed page, host of the referrer, or query; empty for values beyond the limit. */
    value: text().primary(),
    organizationId: text(),
    total: p.integer(),
    site: reference('Site', 'site_id'),
    organization: reference('Organization', 'organization_id'),
  },
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    site_insight: Table<typeof SiteInsight>;
  }
}
