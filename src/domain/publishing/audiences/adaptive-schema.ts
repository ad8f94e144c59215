import { anyOf } from '../../../platform/database/any-of.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { sharedLoader } from '../../../platform/reads/loader.ts';

export type AdaptiveSchemaRow = Row<'site_adaptive_schema'>;

/** Schemas of claims by the id of the site, batched, without a check of permissions. */
export const adaptiveSchemaOf = sharedLoader<AdaptiveSchemaRow>('site:adaptive-schema', async (db, ids) => {
  const rows = await db.selectFrom('site_adaptive_schema').where('siteId', '=', anyOf(ids)).selectAll().execute();
  return new Map(rows.map((row) => [row.siteId, row]));
});
