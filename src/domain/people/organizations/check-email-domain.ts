import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { EMAIL_DOMAIN_STATUSES } from './email-domain-entity.ts';

type Status = (typeof EMAIL_DOMAIN_STATUSES)[number];

/** An email domain and an organization that lists it. */
export interface ListedDomain {
  organizationId: string;
  domain: string;
}

const HASH_LENGTH = 43;

/**
 * The text of the TXT record at a domain that proves it for an organization. As it names the organization, it proves
 * nothing for others; as a hash, it does not show the id.
 */
export const emailDomainRecord = (organizationId: string): string =>
  `stemma-verification=${createHash('sha256').update(`email domain of ${organizationId}`).digest('base64url').slice(0, HASH_LENGTH)}`;

/** Result of checking the DNS record of an email domain. `internal_error` if no name server answers. */
export async function emailDomainStatus(ctx: Context, { organizationId, domain }: ListedDomain): Promise<Status> {
  try {
    const texts = await ctx.services.dns.txt(domain);
    return texts.includes(emailDomainRecord(organizationId)) ? 'dns_passed' : 'dns_no_txt';
  } catch (error) {
    ctx.log.info({ err: error, organizationId }, 'No answer about an email domain');
    return 'internal_error';
  }
}

/**
 * Stores the result of a check, if the organization still lists the domain. It stays verified while nothing answers
 * about it.
 */
export async function storeEmailDomainStatus(
  ctx: Context,
  { organizationId, domain }: ListedDomain,
  status: Status,
): Promise<void> {
  const now = nowOf(ctx);
  await sql`
    insert into email_domain_proof as proof (domain, organization_id, status, verified_at, checked_at)
    select ${domain}, o.id, ${status}, ${status === 'dns_passed' ? now : null}::timestamptz, ${now}::timestamptz
    from organization o where o.id = ${organizationId} and ${domain} = any(o.email_domains) for share of o
    on conflict (domain, organization_id) do update set checked_at = excluded.checked_at,
      status = case when excluded.status = 'internal_error' and proof.verified_at is not null
        then proof.status else excluded.status end,
      verified_at = case excluded.status when 'dns_passed' then coalesce(proof.verified_at, excluded.verified_at)
        when 'internal_error' then proof.verified_at end`.execute(ctx.db);
}
