import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';

/**
 * Removes spaces from the reach of all applications that are limited to them, in the transaction of a command, since they go to another
 * organization. Applications that are left without a space stay connected, and reach none.
 */
export async function removeSpacesFromGrants({ db }: Context, spaceIds: readonly string[]): Promise<void> {
  const ids = [...spaceIds];
  await sql`
    update oauth_grant g set space_ids = array(select unnest(g.space_ids) except select unnest(${ids}::text[]) order by 1)
    where g.id in (select l.id from oauth_grant l where l.space_ids && ${ids}::text[] order by l.id for update)`.execute(
    db,
  );
}
