import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import type { EntityRow } from '../../../platform/database/entity-from-row.ts';
import { lockEntity } from '../../../platform/database/lock-entity.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { batchLoader } from '../../../platform/reads/loader.ts';
import { makeSiteKey, siteKeySecret } from '../sites/index.ts';
import { SiteAuth } from './entity.ts';

/** The key of a site, for its admins. Null if it cannot be read. */
export const readableSiteKey = (
  { services }: Context,
  { siteId, keyId, privateKey }: Row<'site_auth'>,
): string | null => siteKeySecret.find(services, { siteId, keyId }, privateKey) ?? null;

/**
 * How visitors of a site are authenticated. Batched, without a check of permissions. NOT_FOUND for sites from before
 * sites were created with a key, until `makeSiteKey`.
 */
export async function siteAuthOf(ctx: Context, siteId: string): Promise<Row<'site_auth'>> {
  const auth = await load(ctx, siteId);
  if (!auth) throw notFound('key of the site', siteId);
  return auth;
}

/**
 * Returns it as a locked entity, for commands that change it. Makes the key of sites from before sites were created
 * with one.
 */
export async function siteAuthForChange(
  ctx: Context,
  { id: siteId, organizationId }: Pick<Row<'site'>, 'id' | 'organizationId'>,
): Promise<EntityRow<typeof SiteAuth>> {
  await makeSiteKey(ctx, { siteId, organizationId });
  const auth = await lockEntity(ctx, SiteAuth, { siteId });
  if (!auth) throw new Error('siteAuthForChange() found no key row after makeSiteKey().');
  return auth;
}

const load = batchLoader<Row<'site_auth'>>('site:auth', async ({ db }, siteIds) => {
  const rows = await db.selectFrom('site_auth').where('siteId', '=', anyOf(siteIds)).selectAll().execute();
  return new Map(rows.map((row) => [row.siteId, row]));
});
