import { administer } from '../database.ts';

/** When a token was last used, and how often anybody asked. */
const BOOKKEEPING = `('api_token', 'rate_lease')`;

/** Every row of every other table, in a few bytes. */
export async function fingerprintOf(databaseUrl: string): Promise<unknown> {
  const tables = await administer(
    databaseUrl,
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_name not in ${BOOKKEEPING} order by 1`,
  );
  const prints = tables.map(
    ({ name }) =>
      `select '${name}' as name, md5(coalesce(string_agg(t::text, '' order by t::text), '')) from "${name}" t`,
  );
  return administer(databaseUrl, `${prints.join(' union all ')} order by 1`);
}
