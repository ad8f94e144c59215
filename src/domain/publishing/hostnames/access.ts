import { sql } from 'kysely';
import { userIdOf } from '../../../platform/access/actor.ts';
import { atLeast, type Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import { orNull } from '../../../platform/errors/errors.ts';
import { sharedLoader } from '../../../platform/reads/loader.ts';
import { accessLoader, type LockOptions, notVisibleError } from '../../people/access/index.ts';
import { type SiteRow, siteFor, siteHostname } from '../sites/index.ts';

/** Claims of one hostname that are looked through. */
const MAX_CLAIMS = 1_000;

/** Names a custom hostname. Well-formed or not, one that no site has is absent. */
export const hostname = siteHostname.describe('Custom hostname of a site, such as docs.example.com.');

/**
 * The sites that claim a custom hostname in organizations of the caller, without a check of roles: the verified one
 * first, then the oldest. Claims of other organizations cannot push them out, however many there are.
 */
async function claimsOf({ db, actor }: Context, name: string): Promise<string[]> {
  const userId = userIdOf(actor);
  if (userId === undefined) return [];
  const claims = await db
    .selectFrom('site as si')
    .innerJoin('membership as m', (join) =>
      join.onRef('m.organizationId', '=', 'si.organizationId').on('m.userId', '=', userId),
    )
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
  return claims.map(({ id }) => id);
}

/**
 * The sites that claim a custom hostname and on which the caller has the wanted role. If there are none, those that the
 * caller can see, but with too low a role. So another organization's claim does not take precedence over the caller's.
 */
export async function sitesOfHostname(ctx: Context, name: string, requiredRole: Role): Promise<[string, ...string[]]> {
  const claims = await claimsOf(ctx, name);
  const access = await Promise.all(claims.map((id) => accessLoader.site(ctx, id)));
  const [eligible, seen] = ([requiredRole, 'read'] as const).map((role) =>
    claims.filter((_, index) => atLeast(access[index]?.role, role)),
  );
  const [first, ...others] = eligible?.length ? eligible : (seen ?? []);
  if (first === undefined) throw notVisibleError(ctx, 'custom hostname', name);
  return [first, ...others];
}

/** The site that has a custom hostname: the first of `sitesOfHostname`. NOT_FOUND if there is none or it is hidden. */
export async function siteOfHostname(
  ctx: Context,
  name: string,
  requiredRole: Role,
  options: LockOptions = {},
): Promise<SiteRow & { hostname: string }> {
  const [siteId] = await sitesOfHostname(ctx, name, requiredRole);
  return siteWithHostname(ctx, { siteId, hostname: name }, requiredRole, options);
}

/** A site, as long as it has the hostname. NOT_FOUND otherwise. */
export async function siteWithHostname(
  ctx: Context,
  { siteId, hostname: name }: { siteId: string; hostname: string },
  requiredRole: Role,
  options: LockOptions = {},
): Promise<SiteRow & { hostname: string }> {
  const site = await orNull(siteFor(ctx, { siteId }, requiredRole, options));
  if (site?.hostname !== name) throw notVisibleError(ctx, 'custom hostname', name);
  return { ...site, hostname: name };
}

/** The `authorize` of operations on a custom hostname. */
export const authorizeHostname =
  (requiredRole: Role) =>
  (ctx: Context, { hostname: name = '' }: Record<string, string>) =>
    siteOfHostname(ctx, name, requiredRole);

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
