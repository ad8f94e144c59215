import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';

/**
 * Removes spaces from the reach of all applications that are limited to them, in the transaction of a command, since
 * they go to another organization. Organizations without a space that is left go too, except that of a grant of an SSO
 * session, which is for no other. Applications that are left without a space stay connected, and reach none.
 */
export async function removeSpacesFromGrants({ db }: Context, spaceIds: readonly string[]): Promise<void> {
  const ids = [...spaceIds];
  await sql`
    with reached as (
      select l.id, array(select unnest(l.space_ids) except select unnest(${ids}::text[]) order by 1) as space_ids
      from oauth_grant l where l.space_ids && ${ids}::text[] order by l.id for update
    )
    update oauth_grant g set space_ids = r.space_ids, organization_ids = case
      when g.saml_provider_id is null
        then array(select distinct s.organization_id from space s where s.id = any(r.space_ids) order by 1)
      else g.organization_ids end
    from reached r where g.id = r.id`.execute(db);
}
