import { randomBytes, randomUUID } from 'node:crypto';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { storedSecret } from '../../../platform/secret-key/stored-secret.ts';

/** Keys that sign the tokens of visitors. */
export const siteKeySecret = storedSecret({
  table: 'site_auth',
  column: 'private_key',
  key: { siteId: 'site_id', keyId: 'key_id' },
  place: ({ siteId, keyId }) => `site_auth ${siteId} ${keyId}`,
  plural: 'keys of sites for the tokens of visitors',
  name: 'key of the site',
  remedy: 'Replace it with regenerateSitePublishingKey.',
});

/** A new key, encrypted: 32 random bytes as text, whose characters are the key of HS256. */
export function newSiteKey(
  { services }: Pick<Context, 'services'>,
  siteId: string,
): Pick<Row<'site_auth'>, 'keyId' | 'privateKey'> {
  const keyId = randomUUID();
  const secret = randomBytes(32).toString('base64url');
  return { keyId, privateKey: siteKeySecret.encrypt(services, { siteId, keyId }, secret) };
}

/**
 * Makes the key that signs the tokens of the visitors of a site, unless the site has one. For commands that change the
 * site.
 */
export async function makeSiteKey(
  ctx: Context,
  { siteId, organizationId }: { siteId: string; organizationId: string },
): Promise<void> {
  await ctx.db
    .insertInto('site_auth')
    .values({ siteId, organizationId, ...newSiteKey(ctx, siteId), updatedAt: nowOf(ctx) })
    .onConflict((conflict) => conflict.column('siteId').doNothing())
    .execute();
}
