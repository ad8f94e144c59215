import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';

/** Questions of a cluster that a model is asked about: the most central one, and the newest ones. */
const MAX_QUESTIONS = 10;

/** A cluster that a model did not describe is due again after so long. */
const REFUSED_HOURS = 24;

export interface DueCluster {
  id: string;
  issuesCount: number;
  /** Issues of the questions. */
  issueIds: string[];
  questions: string[];
}

/**
 * Clusters of an organization that a model has not described or whose content has changed materially since, largest
 * first. A change is material if the number of issues has doubled or halved, or if more than half of the questions that
 * the model was asked about are in other clusters.
 */
export async function dueClusters(
  ctx: Context,
  organizationId: string,
  { model, limit }: { model: string; limit: number },
): Promise<DueCluster[]> {
  const refused = new Date(ctx.services.clock().getTime() - REFUSED_HOURS * 3_600_000).toISOString();
  const { rows } = await sql<Omit<DueCluster, 'questions'> & { titles: string[]; summaries: string[] }>`
    select due.id, due.issues_count as "issuesCount", array_agg(i.id order by i.place) as "issueIds",
      array_agg(i.title order by i.place) as titles, array_agg(i.summary order by i.place) as summaries
    from (
      select c.id, c.issues_count, c.central_issue_id
      from issues_cluster c left join issues_cluster_description d on d.cluster_id = c.id
      where c.organization_id = ${organizationId} and c.issues_count > 0 and (
        d.cluster_id is null or d.model <> ${model}
        or d.label is null and d.described_at < ${refused}::timestamptz
        or c.issues_count >= 2 * d.issues_count or 2 * c.issues_count <= d.issues_count
        or 2 * (select count(*) from conversation_issue s where s.id = any(d.issue_ids) and s.cluster_id = c.id)
          < cardinality(d.issue_ids)
      )
      order by c.issues_count desc, c.id limit ${sql.lit(limit)}
    ) due cross join lateral (
      select i.id, i.title, i.summary,
        row_number() over (order by i.id <> due.central_issue_id, i.created_at desc, i.id desc) as place
      from conversation_issue i where i.cluster_id = due.id order by place limit ${sql.lit(MAX_QUESTIONS)}
    ) i
    group by due.id, due.issues_count order by due.issues_count desc, due.id`.execute(ctx.db);
  return rows.map(({ titles, summaries, ...cluster }) => ({
    ...cluster,
    questions: summaries.map((summary, index) => questionOf(titles[index] ?? '', summary)),
  }));
}

/** The title is the subject, or else the beginning of the summary. */
const questionOf = (title: string, summary: string) =>
  summary.startsWith(title.replace(/…$/, '')) ? summary : `${title}\n${summary}`;
