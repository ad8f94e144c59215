import type { Context } from '../../../platform/context/context.ts';
import { nowOf } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';

type Status = Row<'custom_hostname'>['status'];

/** A site and the hostname that it has. */
export interface Claimed {
  siteId: string;
  organizationId: string;
  hostname: string;
}

/**
 * The name that the CNAME record of a custom hostname must lead to: a label of the site below the host of published
 * sites. Because it names the site, other sites cannot take over a hostname whose record still points here.
 */
export const cnameTarget = ({ services }: Pick<Context, 'services'>, siteId: string) =>
  `${siteId.replace('_', '-')}.${new URL(services.config.sitesUrl).hostname}`;

/** Result of checking the DNS record of a hostname. `internal_error` if no name server answers. */
export const dnsStatus = async (ctx: Context, claimed: Claimed): Promise<Status> =>
  (await dnsStatusOfSites(ctx, claimed.hostname, [claimed.siteId])).status;

/** The same for one of several sites that claim it: that which the record names, or else the first. */
export async function dnsStatusOfSites(
  ctx: Context,
  hostname: string,
  siteIds: readonly [string, ...string[]],
): Promise<{ siteId: string; status: Status }> {
  const [first] = siteIds;
  try {
    const targets = await ctx.services.dns.cname(hostname);
    if (targets.length === 0) return { siteId: first, status: 'dns_no_cname' };
    const named = siteIds.find((siteId) => targets.includes(cnameTarget(ctx, siteId)));
    return named === undefined ? { siteId: first, status: 'dns_wrong_cname' } : { siteId: named, status: 'dns_passed' };
  } catch (error) {
    ctx.log.info({ err: error, siteIds }, 'No answer about a custom hostname');
    return { siteId: first, status: 'internal_error' };
  }
}

/** Stores the result of a check. A hostname stays verified while nothing answers about it. */
export async function storeStatus(ctx: Context, claimed: Claimed, status: Status): Promise<void> {
  const { hostname, siteId, organizationId } = claimed;
  const now = nowOf(ctx);
  const stored = await ctx.db
    .selectFrom('custom_hostname')
    .where('hostname', '=', hostname)
    .where('siteId', '=', siteId)
    .select(['verifiedAt', 'status'])
    .executeTakeFirst();
  const isKept = status === 'internal_error' && stored?.verifiedAt != null;
  const verifiedAt = status === 'dns_passed' || isKept ? (stored?.verifiedAt ?? now) : null;
  const values = { organizationId, status: isKept ? stored.status : status, verifiedAt, checkedAt: now };
  if (status === 'dns_passed') await endOtherClaims(ctx, claimed);
  await ctx.db
    .insertInto('custom_hostname')
    .values({ hostname, siteId, ...values })
    .onConflict((conflict) => conflict.columns(['hostname', 'siteId']).doUpdateSet(values))
    .execute();
  // The URLs of the pages change, and the version of the site is part of their cache keys.
  if ((stored?.verifiedAt != null) !== (verifiedAt !== null)) await touch(ctx, [siteId]);
}

/** The record leads to this site now, so that no other site is verified any longer. */
async function endOtherClaims(ctx: Context, { hostname, siteId }: Claimed): Promise<void> {
  const ended = await ctx.db
    .updateTable('custom_hostname')
    .set({ verifiedAt: null, status: 'dns_wrong_cname' })
    .where('hostname', '=', hostname)
    .where('siteId', '<>', siteId)
    .where('verifiedAt', 'is not', null)
    .returning('siteId')
    .execute();
  await touch(
    ctx,
    ended.map((claim) => claim.siteId),
  );
}

async function touch(ctx: Context, siteIds: string[]): Promise<void> {
  if (siteIds.length === 0) return;
  await ctx.db
    .updateTable('site')
    .set({ updatedAt: nowOf(ctx) })
    .where('id', 'in', siteIds)
    .execute();
}
