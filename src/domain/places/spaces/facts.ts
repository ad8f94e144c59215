import { sql } from 'kysely';
import type { Context } from '../../../platform/context.ts';
import { statement } from '../../../platform/database/statement.ts';
import { batchLoader } from '../../../platform/loader.ts';
import { sharedRead } from '../../../platform/shared-reads.ts';
import { accessOn } from '../../people/access/index.ts';
import { type GitSyncRow, loadGitSync } from '../../store/git-sync/index.ts';
import { readVisibleParents } from '../collections/index.ts';
import { parentOf } from '../placement/index.ts';
import { type ChangeRequestCounts, primeCounts } from './counts.ts';

/** What other tables hold about a space. The members of `git_sync` are null if it is not synchronized. */
interface SpaceFacts extends GitSyncRow, ChangeRequestCounts {
  factsOf: string;
  isPlaced: boolean;
  parent: string | null;
  openComments: number;
}

const selectFacts = statement(
  (_db, { spaceIds }: { spaceIds: string[] }) => sql<SpaceFacts>`
    select g.*, w.id as facts_of, p.item_id is not null as is_placed, nullif(p.parent_id, p.organization_id) as parent,
      r.total, r.open, r.draft, c.open_comments
    from unnest(${spaceIds}::text[]) as w(id)
    left join placement p on p.item_id = w.id
    left join git_sync g on g.space_id = w.id
    cross join lateral (
      select count(*) as total, count(*) filter (where status = 'open') as open, count(*) filter (where status = 'draft') as draft
      from change_request where space_id = w.id) r
    cross join lateral (
      select count(*) as open_comments from comment
      where space_id = w.id and change_request_id is null and resolved_at is null) c`,
);

const loadFacts = batchLoader<SpaceFacts>(
  'space:facts',
  sharedRead(async (db, spaceIds) => {
    const rows = await selectFacts({ db }, { spaceIds });
    return new Map(rows.map((facts) => [facts.factsOf, facts]));
  }),
);

/**
 * Reads parent, counts and Git synchronization of spaces in one statement, for callers who want all of them: the loaders
 * of each then have them. Parents that the caller can see take another statement.
 */
export async function readFactsOf(ctx: Context, spaceIds: readonly string[]): Promise<void> {
  const [found, accesses] = await Promise.all([loadFacts.all(ctx, spaceIds), accessOn.space.all(ctx, spaceIds)]);
  for (const [index, id] of spaceIds.entries()) {
    const facts = found[index];
    if (!facts) continue;
    parentOf.prime(ctx, id, facts.isPlaced ? facts.parent : undefined);
    loadGitSync.prime(ctx, id, facts.spaceId === null ? undefined : facts);
    primeCounts(ctx, id, accesses[index], facts);
  }
  await readVisibleParents(ctx, spaceIds);
}
