import { defineEntity } from '@mikro-orm/core';
import {
  changes,
  createdTime,
  flag,
  json,
  raisesVersion,
  reference,
  text,
} from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';
import type { StoredDestination } from './destination.ts';

/** A redirect from a path of a site. A source can have a live redirect and a draft. */
export const SiteRedirect = defineEntity({
  name: 'SiteRedirect',
  tableName: 'site_redirect',
  properties: {
    id: text().primary(),
    organizationId: text(),
    siteId: text(),
    /** As it was written. */
    source: text(),
    /**
     * The canonical form of the source in lowercase, without `*` (`source.ts`). Rows that were last written before keys
     * were canonical have the source in lowercase.
     */
    key: text(),
    /** Whether the source ends with `*`. */
    isWildcard: flag(false),
    isDraft: flag(false),
    /** Whether the part of the path that `*` matches is appended to the destination. */
    captureWildcard: flag(false),
    isPermanent: flag(false),
    destination: json<StoredDestination>(),
    createdAt: createdTime(),
    updatedAt: createdTime(),
    version: changes(),
    organization: reference('Organization', 'organization_id'),
    site: reference('Site', 'site_id'),
  },
  uniques: [{ name: 'site_redirect_source_unique', properties: ['siteId', 'key', 'isWildcard', 'isDraft'] }],
  triggers: [raisesVersion()],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    site_redirect: Table<typeof SiteRedirect>;
  }
}
