import { sql } from 'kysely';
import { z } from 'zod';
import { type Context, monthOf } from '../../../platform/context/context.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { batchLoader } from '../../../platform/reads/loader.ts';
import { assertReadsConversations } from './access.ts';
import type { IssuesComparison, LabelOrigin } from './enums.ts';
import type { ModelUsage } from './model-usage.ts';

/** The state of labels and summaries by a model, as it is shown. */
export interface LabellingRow {
  origin: LabelOrigin;
  error: string | null;
  failedAt: string | null;
  characterLimit: number | null;
  usage: ModelUsage & { month: string };
}

/** The state of grouping the issues of an organization, as it is shown. */
export interface GroupingRow extends ModelUsage {
  comparison: IssuesComparison;
  /** Issues of the latest complete grouping. */
  issues: number;
  changes: number;
  groupedAt: string | null;
  error: string | null;
  failedAt: string | null;
  month: string;
  characterLimit: number | null;
  labels: LabellingRow;
}

type LoadedGrouping = Omit<GroupingRow, 'month' | 'characterLimit' | 'labels'> & {
  labelsError: string | null;
  labelsFailedAt: string | null;
  labelUsage: ModelUsage | null;
};

const load = batchLoader<LoadedGrouping>('issues-grouping', async (ctx, ids) => {
  const month = monthOf(ctx);
  const { rows } = await sql<LoadedGrouping & { id: string }>`
    select w.id, case when g.embedding_model is null then 'words' else 'model' end as comparison,
      coalesce(g.documents, 0) as issues, coalesce(g.changes, 0) as changes, g.grouped_at as "groupedAt",
      g.embedding_error as error, g.embedding_failed_at as "failedAt", coalesce(u.requests, 0) as requests,
      coalesce(u.texts, 0) as texts, coalesce(u.characters, 0) as characters, g.labels_error as "labelsError",
      g.labels_failed_at as "labelsFailedAt",
      case when l.month is not null then
        json_build_object('requests', l.requests, 'texts', l.texts, 'characters', l.characters) end as "labelUsage"
    from unnest(${ids}::text[]) as w(id)
    left join issues_grouping g on g.organization_id = w.id
    left join embedding_usage u on u.organization_id = w.id and u.month = ${month}
    left join label_usage l on l.organization_id = w.id and l.month = ${month}`.execute(ctx.db);
  return new Map(rows.map(({ id, ...row }) => [id, row]));
});

const NO_USAGE: ModelUsage = { requests: 0, texts: 0, characters: 0 };

/** The state of grouping the issues of an organization. Batched. Does not check access. */
export async function loadGrouping(ctx: Context, organizationId: string): Promise<GroupingRow> {
  const { labelsError, labelsFailedAt, labelUsage, ...grouping } = (await load(ctx, organizationId)) ?? NONE;
  const { embeddings, labels } = ctx.services.config;
  const month = monthOf(ctx);
  return {
    ...grouping,
    month,
    characterLimit: embeddings?.characterLimit ?? null,
    labels: {
      origin: labels === null ? 'words' : 'model',
      error: labels && labelsError,
      failedAt: labels && labelsFailedAt,
      characterLimit: labels?.characterLimit ?? null,
      usage: { month, ...(labelUsage ?? NO_USAGE) },
    },
  };
}

const NONE: LoadedGrouping = {
  comparison: 'words',
  issues: 0,
  changes: 0,
  groupedAt: null,
  error: null,
  failedAt: null,
  ...NO_USAGE,
  labelsError: null,
  labelsFailedAt: null,
  labelUsage: null,
};

export const getIssuesGrouping = query({
  name: 'getIssuesGrouping',
  description:
    "Gets the state of grouping the issues of an organization: the basis and time of the latest grouping, and the usage of the service's models, if any are set. Not for guests.",
  input: z.object({ organizationId: idOf('org') }),
  authorize: (ctx, { organizationId = '' }) => assertReadsConversations(ctx, organizationId),
  async run(ctx, { organizationId }) {
    await assertReadsConversations(ctx, organizationId);
    return loadGrouping(ctx, organizationId);
  },
});
