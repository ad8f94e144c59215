import { randomBytes, randomUUID } from 'node:crypto';
import { type Context, nowOf } from '../../../platform/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { encryptSecret } from '../../../platform/secrets.ts';

/** What a stored key is bound to. */
export const placeOfSiteKey = (siteId: string, keyId: string) => `site_auth ${siteId} ${keyId}`;

/** A new key, encrypted: 32 random bytes as text, whose characters are the key of HS256. */
export function newSiteKey(
  { services }: Pick<Context, 'services'>,
  siteId: string,
): Pick<Row<'site_auth'>, 'keyId' | 'privateKey'> {
  const keyId = randomUUID();
  const secret = randomBytes(32).toString('base64url');
  return { keyId, privateKey: encryptSecret(services.secretKey, placeOfSiteKey(siteId, keyId), secret) };
}

/** Makes the key that signs the tokens of the visitors of a site, unless the site has one. For commands that change the site. */
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
