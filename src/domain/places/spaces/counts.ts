import { sql } from 'kysely';
import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import { statement } from '../../../platform/database/statement.ts';
import { andThen, batchLoader } from '../../../platform/reads/loader.ts';
import { sharedRead } from '../../../platform/reads/shared-reads.ts';
import { accessLoader, permissions } from '../../people/access/index.ts';

/**
 * Numbers of a space, and whether it is synchronized with a Git branch: read together, since most lists of spaces show
 * both.
 */
interface SpaceCounts {
  /** Change requests in any status. */
  total: number;
  open: number;
  draft: number;
  /** Open comments on the primary content. */
  openComments: number;
  isSynchronized: boolean;
}

const NONE: SpaceCounts = { total: 0, open: 0, draft: 0, openComments: 0, isSynchronized: false };

const selectCounts = statement(
  (_db, { spaceIds }: { spaceIds: string[] }) => sql<SpaceCounts & { spaceId: string }>`
    select s.id as space_id, n.total, n.open, n.draft, c.open_comments,
      exists (select from git_sync g where g.space_id = s.id) as is_synchronized
    from unnest(${spaceIds}::text[]) as s(id)
    cross join lateral (
      select count(*) as total, count(*) filter (where status = 'open') as open, count(*) filter (where status = 'draft') as draft
      from change_request where space_id = s.id) n
    cross join lateral (
      select count(*) as open_comments from comment
      where space_id = s.id and change_request_id is null and resolved_at is null) c`,
);

const readCounts = sharedRead<SpaceCounts>(async (db, spaceIds) => {
  const rows = await selectCounts({ db }, { spaceIds });
  return new Map(rows.map(({ spaceId, ...counts }) => [spaceId, counts]));
});

const NEEDED = [permissions.listChangeRequests.space, permissions.listComments.space] as const;

const countsLoader = batchLoader<SpaceCounts>('space:counts', async (ctx, ids) => {
  const accesses = await accessLoader.space.loadMany(ctx, ids);
  return readCounts(
    ctx,
    ids.filter((_, index) => NEEDED.every((role) => atLeast(accesses[index]?.role, role))),
  );
});

/**
 * The counts of a space, batched, and whether it is synchronized. 0 and false for callers without a role that lists
 * what is counted, such as visitors of a site.
 */
export const countsOfSpace = (ctx: Context, spaceId: string) =>
  andThen(countsLoader.peek(ctx, spaceId), (counts) => counts ?? NONE);

/** Number of open comments on the primary content of a space, batched. */
export const openCommentsOfSpace = (ctx: Context, spaceId: string) =>
  andThen(countsOfSpace(ctx, spaceId), ({ openComments }) => openComments);

/** Reads the counts of many spaces, in one statement. */
export const loadCounts = (ctx: Context, spaceIds: readonly string[]) => countsLoader.loadMany(ctx, spaceIds);
