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
 * Removes from clusters what none of their issues says any more: phrases of the label, terms, and the summary if the
 * central issue is lost, which becomes that of the latest issue. Clusters without issues lose all three.
 */
export async function forgetWords({ db }: Pick<Context, 'db'>, clusterIds: readonly string[]): Promise<void> {
  await sql`
    update issues_cluster c set
      label = array_to_string(array(
        select p.phrase from unnest(string_to_array(c.label, ', ')) with ordinality p(phrase, position)
        where ${isSaid('p.phrase')} order by p.position
      ), ', '),
      terms = array(
        select t.term from unnest(c.terms) with ordinality t(term, position)
        where ${isSaid('t.term')} order by t.position
      )
    where c.id = any(${clusterIds}::text[])`.execute(db);
  await sql`
    update issues_cluster c set summary = coalesce(n.summary, ''), central_issue_id = n.id
    from unnest(${clusterIds}::text[]) as w(id)
    left join lateral (
      select i.id, i.summary from conversation_issue i where i.cluster_id = w.id order by i.created_at desc limit 1
    ) n on true
    where c.id = w.id
      and not exists (select from conversation_issue i where i.id = c.central_issue_id and i.cluster_id = c.id)`.execute(
    db,
  );
}

/** Whether an issue of the cluster `c` contains a word, or several in a row. */
const isSaid = (words: string) => sql`exists (
  select from conversation_issue i
  where i.cluster_id = c.id and position(' ' || ${sql.ref(words)} || ' ' in ' ' || i.words || ' ') > 0)`;
