import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import type { Services } from '../../../platform/context/services.ts';
import { sharedRead } from '../../../platform/reads/shared-reads.ts';

/** Path of a site below `SITES_URL`. */
export interface NameOfSite {
  organization: string;
  basename: string;
}

const readNames = sharedRead<NameOfSite>(async (db, hostnames) => {
  const { rows } = await sql<NameOfSite & { hostname: string }>`
    select ch.hostname, coalesce(o.hostname, o.id) as organization, coalesce(si.basename, si.id) as basename
    from custom_hostname ch
    join site si on si.id = ch.site_id and si.hostname = ch.hostname
    join organization o on o.id = si.organization_id
    where ch.hostname = any(${hostnames as string[]}::text[]) and ch.verified_at is not null`.execute(db);
  return new Map(rows.map(({ hostname, ...name }) => [hostname, name]));
});

/** The site whose verified custom hostname this is, published or not. Requests share the statement. */
export const siteAtHostname = async (ctx: Context, hostname: string): Promise<NameOfSite | undefined> =>
  (await readNames(ctx, [hostname])).get(hostname);

/**
 * Whether a hostname is verified for a site. Clients choose hostnames before any limit counts their requests, so
 * lookups share at most three statements at a time.
 */
export async function isVerifiedHostname(services: Services, hostname: string): Promise<boolean> {
  const { db, em } = services;
  return (await readNames({ services, db, em, inTransaction: false }, [hostname])).has(hostname);
}
