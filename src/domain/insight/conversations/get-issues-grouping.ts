import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { batchLoader } from '../../../platform/loader.ts';
import { idOf, query } from '../../../platform/operation.ts';
import { readsConversations } from './access.ts';
import { type EmbeddingUsage, monthOf } from './embedding-usage.ts';
import type { Comparison } from './enums.ts';

/** The state of grouping the issues of an organization, as it is shown. */
export interface GroupingRow extends EmbeddingUsage {
  comparison: Comparison;
  /** Issues of the latest complete grouping. */
  issues: number;
  changes: number;
  groupedAt: string | null;
  error: string | null;
  failedAt: string | null;
  month: string;
  characterLimit: number | null;
}

type Found = Omit<GroupingRow, 'month' | 'characterLimit'>;

const load = batchLoader<Found>('issues-grouping', async (ctx, ids) => {
  const { rows } = await sql<Found & { id: string }>`
    select w.id, case when g.embedding_model is null then 'words' else 'model' end as comparison,
      coalesce(g.documents, 0) as issues, coalesce(g.changes, 0) as changes, g.grouped_at as "groupedAt",
      g.embedding_error as error, g.embedding_failed_at as "failedAt", coalesce(u.requests, 0) as requests,
      coalesce(u.texts, 0) as texts, coalesce(u.characters, 0) as characters
    from unnest(${ids}::text[]) as w(id)
    left join issues_grouping g on g.organization_id = w.id
    left join embedding_usage u on u.organization_id = w.id and u.month = ${monthOf(ctx)}`.execute(ctx.db);
  return new Map(rows.map(({ id, ...row }) => [id, row]));
});

/** The state of grouping the issues of an organization. Batched. Does not check access. */
export async function loadGrouping(ctx: Context, organizationId: string): Promise<GroupingRow> {
  const found = (await load(ctx, organizationId)) ?? NONE;
  const characterLimit = ctx.services.config.embeddings?.characterLimit ?? null;
  return { ...found, month: monthOf(ctx), characterLimit };
}

const NONE: Found = {
  comparison: 'words',
  issues: 0,
  changes: 0,
  groupedAt: null,
  error: null,
  failedAt: null,
  requests: 0,
  texts: 0,
  characters: 0,
};

export const getIssuesGrouping = query({
  name: 'getIssuesGrouping',
  description:
    'Gets the state of grouping the issues of an organization: what was compared, when, and what was sent to the model ' +
    'of the service, if one is set. Not for guests.',
  input: z.object({ organizationId: idOf('org') }),
  authorize: (ctx, { organizationId = '' }) => readsConversations(ctx, organizationId),
  async run(ctx, { organizationId }) {
    await readsConversations(ctx, organizationId);
    return loadGrouping(ctx, organizationId);
  },
});
