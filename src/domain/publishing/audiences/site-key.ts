import { randomBytes, randomUUID } from 'node:crypto';
import { type Context, nowOf } from '../../../platform/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { decryptSecret, encryptSecret } from '../../../platform/secrets.ts';

/** What a stored key is bound to. */
export const placeOfKey = (siteId: string, keyId: string) => `site_auth ${siteId} ${keyId}`;

/** A new key, encrypted: 32 random bytes as text, whose characters are the key of HS256. */
export function newKey(ctx: Context, siteId: string): Pick<Row<'site_auth'>, 'keyId' | 'privateKey'> {
  const keyId = randomUUID();
  const secret = randomBytes(32).toString('base64url');
  return { keyId, privateKey: encryptSecret(ctx.services.secretKey, placeOfKey(siteId, keyId), secret) };
}

/** The key of a site, for its admins. */
export const keyOf = (ctx: Context, { siteId, keyId, privateKey }: Row<'site_auth'>) =>
  decryptSecret(ctx.services.secretKey, placeOfKey(siteId, keyId), privateKey);

/** How visitors of a site are authenticated. The first call for a site makes its key. Without a check of permissions. */
export async function siteAuthOf(
  ctx: Context,
  { id: siteId, organizationId }: Pick<Row<'site'>, 'id' | 'organizationId'>,
): Promise<Row<'site_auth'>> {
  const read = () => ctx.db.selectFrom('site_auth').where('siteId', '=', siteId).selectAll().executeTakeFirst();
  const known = await read();
  if (known) return known;
  const made = { siteId, organizationId, ...newKey(ctx, siteId), updatedAt: nowOf(ctx) };
  await ctx.db
    .insertInto('site_auth')
    .values(made)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const stored = await read();
  if (!stored) throw new Error('The key of a site was just made.');
  return stored;
}
