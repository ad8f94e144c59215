import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';

/**
 * Deletes what a model has made of questions that are deleted or replaced. After the issues: a job that describes a
 * cluster locks them. The ids are hashed, which an overlap of arrays is not.
 */
export const forgetDescriptions = (
  { db }: Pick<Context, 'db'>,
  organizationId: string,
  issueIds: readonly string[],
): Promise<unknown> =>
  sql`
    delete from issues_cluster_description d
    where d.organization_id = ${organizationId}
      and exists (select from unnest(d.issue_ids) as i(id) where i.id = any(${issueIds}::text[]))`.execute(db);

/**
 * Gives clusters whose central issue is no longer theirs the summary of the latest of their issues. Clusters without
 * issues lose label and terms too: no grouping would replace them.
 */
export const renewSummaries = ({ db }: Pick<Context, 'db'>, clusterIds: readonly string[]): Promise<unknown> =>
  sql`
    update issues_cluster c set summary = coalesce(n.summary, ''), central_issue_id = n.id,
      label = case when n.id is null then '' else c.label end, terms = case when n.id is null then '{}' else c.terms end
    from unnest(${clusterIds}::text[]) as w(id)
    left join lateral (
      select i.id, i.summary from conversation_issue i where i.cluster_id = w.id order by i.created_at desc limit 1
    ) n on true
    where c.id = w.id
      and not exists (select from conversation_issue i where i.id = c.central_issue_id and i.cluster_id = c.id)`.execute(
    db,
  );
