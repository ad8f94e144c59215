import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { sharedLoader } from '../../../platform/reads/loader.ts';
import type { EMAIL_DOMAIN_STATUSES } from './email-domain-entity.ts';

/** An email domain of an organization, with the result of its last check. */
export interface EmailDomainState {
  organizationId: string;
  domain: string;
  /** Null before the first check. */
  status: (typeof EMAIL_DOMAIN_STATUSES)[number] | null;
  checkedAt: string | null;
  isVerified: boolean;
  /** Whether people can join by it: it is verified for the organization, or for none. */
  isEffective: boolean;
}

/**
 * Whether the listing of an email domain by an organization has an effect on what people do themselves: the
 * organization has proved the domain, or no organization has.
 */
export const isListingEffective = (organizationId: RawBuilder<unknown>, domain: RawBuilder<unknown>) => sql<boolean>`(
  select coalesce(bool_or(proof.organization_id = ${organizationId}), true) from email_domain_proof proof
  where proof.domain = ${domain} and proof.verified_at is not null)`;

/**
 * The email domains of organizations in their order, by the id of the organization. Batched, without a check of
 * permissions.
 */
export const loadEmailDomainStates = sharedLoader<EmailDomainState[]>('organization:email-domains', async (db, ids) => {
  const { rows } = await sql<EmailDomainState>`
    select o.id as organization_id, d.domain, proof.status, proof.checked_at,
      proof.verified_at is not null as is_verified,
      ${isListingEffective(sql.raw('o.id'), sql.raw('d.domain'))} as is_effective
    from organization o cross join lateral unnest(o.email_domains) with ordinality as d(domain, place)
    left join email_domain_proof proof on proof.organization_id = o.id and proof.domain = d.domain
    where o.id = any(${ids as string[]}::text[]) order by o.id, d.place`.execute(db);
  return Map.groupBy(rows, ({ organizationId }) => organizationId);
});

/** The email domains that an organization lists with an effect. */
export async function effectiveDomainsOf(ctx: Context, organizationId: string): Promise<string[]> {
  const states = (await loadEmailDomainStates(ctx, organizationId)) ?? [];
  return states.filter((state) => state.isEffective).map(({ domain }) => domain);
}

/** Whether an email domain that an organization lists has an effect for it. */
export async function isEffective(ctx: Context, organizationId: string, domain: string): Promise<boolean> {
  const { rows } = await sql<{ isEffective: boolean }>`
    select ${isListingEffective(sql`${organizationId}`, sql`${domain}`)} as is_effective`.execute(ctx.db);
  return rows[0]?.isEffective === true;
}

/** Whether an organization has proved an email domain, so that it can act on the accounts of its people. */
export async function isProved({ db }: Context, organizationId: string, domain: string): Promise<boolean> {
  const proof = await db
    .selectFrom('email_domain_proof')
    .where('organizationId', '=', organizationId)
    .where('domain', '=', domain)
    .where('verifiedAt', 'is not', null)
    .select('domain')
    .executeTakeFirst();
  return proof !== undefined;
}
