import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { dropEmptyClusters } from './drop-empty-clusters.ts';
import { forgetDescriptions, forgetWords } from './forget-questions.ts';
import { requestGrouping } from './request-grouping.ts';

/**
 * Deletes conversations by id or source with their issues, and returns their number. Clusters lose the issues at once:
 * texts from deleted issues are replaced, and clusters without issues and change requests are deleted.
 */
export async function removeConversations(
  ctx: Context,
  organizationId: string,
  by: { id: string } | { source: string },
): Promise<number> {
  const condition = 'id' in by ? sql`c.id = ${by.id}` : sql`c.source = ${by.source}`;
  const { rows: deleted } = await sql<{ id: string }>`
    delete from conversation c where c.organization_id = ${organizationId} and ${condition} returning c.id`.execute(
    ctx.db,
  );
  // A statement of its own: it sees the issues that a job has stored while the conversations were deleted.
  const { rows } = await sql<{ clusterId: string | null; issueIds: string[] }>`
    with lost as (
      delete from conversation_issue i where i.conversation_id = any(${deleted.map(({ id }) => id)}::text[])
      returning i.cluster_id, i.id
    )
    select l.cluster_id as "clusterId", array_agg(l.id) as "issueIds" from lost l group by l.cluster_id`.execute(
    ctx.db,
  );
  const lostIds = rows.flatMap(({ issueIds }) => issueIds);
  if (lostIds.length > 0) await forgetDescriptions(ctx, organizationId, lostIds);
  const lost = rows.flatMap(({ clusterId, issueIds: { length: issues } }) =>
    clusterId === null ? [] : [{ clusterId, issues }],
  );
  if (lost.length > 0) {
    await shrinkClusters(ctx, organizationId, lost);
    await requestGrouping(ctx, organizationId);
  }
  return deleted.length;
}

async function shrinkClusters(
  ctx: Context,
  organizationId: string,
  lost: { clusterId: string; issues: number }[],
): Promise<void> {
  const { db } = ctx;
  const ids = lost.map(({ clusterId }) => clusterId);
  await sql`
    with changed as (
      update issues_cluster c set issues_count = c.issues_count - l.issues, status = 'analysing'
      from json_to_recordset(${JSON.stringify(lost)}::json) as l("clusterId" text, issues int)
      where c.id = l."clusterId" returning c.organization_id, l.issues
    )
    update issues_grouping g set changes = g.changes + (select sum(issues) from changed)
    where g.organization_id = (select organization_id from changed limit 1)`.execute(db);
  await dropEmptyClusters(ctx, organizationId);
  await forgetWords(ctx, ids);
}
