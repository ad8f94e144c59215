import { sql } from 'kysely';
import { atLeast, type Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context.ts';
import { orNull } from '../../../platform/errors.ts';
import { sharedLoader } from '../../../platform/shared-loader.ts';
import { absent, accessOn, type Holding } from '../../people/access/index.ts';
import { type SiteRow, siteFor, siteHostname } from '../sites/index.ts';

/** Claims of one hostname that are looked through. */
const MAX_CLAIMS = 1_000;

/** Names a custom hostname. Well-formed or not, one that no site has is absent. */
export const hostname = siteHostname.describe('Custom hostname of a site, such as docs.example.com.');

/**
 * The site that has a custom hostname, for callers with the wanted role on it. Of several that claim it, those that the
 * caller can see count: the verified one, else the oldest. NOT_FOUND if there is none or it is hidden.
 */
export async function siteOfHostname(
  ctx: Context,
  name: string,
  wanted: Role,
  options: Holding = {},
): Promise<SiteRow & { hostname: string }> {
  const claims = await ctx.db
    .selectFrom('site as si')
    .leftJoin('custom_hostname as ch', (join) =>
      join.onRef('ch.hostname', '=', 'si.hostname').onRef('ch.siteId', '=', 'si.id'),
    )
    .where('si.hostname', '=', name)
    .orderBy(sql`ch.verified_at is null`)
    .orderBy('si.createdAt')
    .orderBy('si.id')
    .select('si.id')
    .limit(MAX_CLAIMS)
    .execute();
  const access = await Promise.all(claims.map(({ id }) => accessOn.site(ctx, id)));
  const seen = claims.find((_, index) => atLeast(access[index]?.role, 'read'));
  const site = seen && (await orNull(siteFor(ctx, { siteId: seen.id }, wanted, options)));
  if (site?.hostname !== name) throw absent(ctx, 'custom hostname', name);
  return { ...site, hostname: name };
}

/** The `authorize` of operations on a custom hostname. */
export const authorizeHostname =
  (wanted: Role) =>
  (ctx: Context, { hostname: name = '' }: Record<string, string>) =>
    siteOfHostname(ctx, name, wanted);

/** The last check of the hostname that a site has. */
export interface HostnameCheck {
  status: 'dns_passed' | 'dns_wrong_cname' | 'dns_no_cname' | 'internal_error';
  checkedAt: string;
  isVerified: boolean;
}

/** The checks of the hostnames that sites have now, by the id of the site. Batched, without a check of permissions. */
export const hostnameCheck = sharedLoader<HostnameCheck>('site:hostname', async (db, siteIds) => {
  const { rows } = await sql<HostnameCheck & { id: string }>`
    select si.id, ch.status, ch.checked_at, ch.verified_at is not null as is_verified
    from site si join custom_hostname ch on ch.hostname = si.hostname and ch.site_id = si.id
    where si.id = any(${siteIds as string[]}::text[])`.execute(db);
  return new Map(rows.map(({ id, ...check }) => [id, check]));
});
