import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';

/**
 * Deletes the clusters of an organization that have neither issues nor change requests. They are locked first, so that
 * change requests that are created meanwhile are seen.
 */
export async function dropEmptyClusters({ db }: Context, organizationId: string): Promise<void> {
  const empty = await db
    .selectFrom('issues_cluster')
    .where('organizationId', '=', organizationId)
    .where('issuesCount', '<=', 0)
    .select('id')
    .orderBy('id')
    .forUpdate()
    .execute();
  if (empty.length === 0) return;
  const ids = empty.map(({ id }) => id);
  await db.deleteFrom('issues_cluster_description').where('clusterId', '=', anyOf(ids)).execute();
  await db
    .deleteFrom('issues_cluster as c')
    .where('c.id', '=', anyOf(ids))
    .where((eb) =>
      eb.not(
        eb.exists(eb.selectFrom('change_request as cr').whereRef('cr.issuesClusterId', '=', 'c.id').select('cr.id')),
      ),
    )
    .execute();
}
