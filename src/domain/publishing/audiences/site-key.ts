import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type Context, nowOf } from '../../../platform/context.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { notFound } from '../../../platform/errors.ts';
import { batchLoader } from '../../../platform/loader.ts';
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

/** How visitors of a site are authenticated. The first call for a site makes its key. Batched, without a check of permissions. */
export async function siteAuthOf(ctx: Context, siteId: string): Promise<Row<'site_auth'>> {
  const auth = await load(ctx, siteId);
  if (!auth) throw notFound('site', siteId);
  return auth;
}

const load = batchLoader<Row<'site_auth'>>('site:auth', async (ctx, siteIds) => {
  const read = () => ctx.db.selectFrom('site_auth').where('siteId', '=', anyOf(siteIds)).selectAll().execute();
  const known = await read();
  const missing = siteIds.filter((id) => !known.some(({ siteId }) => siteId === id));
  if (missing.length > 0) await makeKeys(ctx, missing);
  const rows = missing.length > 0 ? await read() : known;
  return new Map(rows.map((row) => [row.siteId, row]));
});

/** Makes the keys of sites that have none. A concurrent request may be faster. */
async function makeKeys(ctx: Context, siteIds: string[]): Promise<void> {
  const keys = siteIds.map((siteId) => {
    const { keyId, privateKey } = newKey(ctx, siteId);
    return { site_id: siteId, key_id: keyId, private_key: privateKey.toString('hex') };
  });
  await sql`
    insert into site_auth (site_id, organization_id, key_id, private_key, updated_at)
    select s.id, s.organization_id, k.key_id, decode(k.private_key, 'hex'), ${nowOf(ctx)}
    from json_to_recordset(${JSON.stringify(keys)}::json) as k(site_id text, key_id uuid, private_key text)
    join site s on s.id = k.site_id
    on conflict do nothing`.execute(ctx.db);
}
