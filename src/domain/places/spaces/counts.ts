import { atLeast, type Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import { statement } from '../../../platform/database/statement.ts';
import { andThen, batchLoader } from '../../../platform/reads/loader.ts';
import { sharedRead } from '../../../platform/reads/shared-reads.ts';
import { type Access, accessOn, permissions } from '../../people/access/index.ts';

/** Number of change requests of a space, in total and by status. */
export interface ChangeRequestCounts {
  total: number;
  open: number;
  draft: number;
}

const NONE: ChangeRequestCounts = { total: 0, open: 0, draft: 0 };

const countChangeRequests = statement((db, { spaceIds }: { spaceIds: string[] }) =>
  db
    .selectFrom('change_request')
    .where('spaceId', '=', anyOf(spaceIds))
    .groupBy('spaceId')
    .select(({ fn }) => [
      'spaceId',
      fn.countAll<number>().as('total'),
      fn.countAll<number>().filterWhere('status', '=', 'open').as('open'),
      fn.countAll<number>().filterWhere('status', '=', 'draft').as('draft'),
    ]),
);

const readCounts = sharedRead<ChangeRequestCounts>(async (db, spaceIds) => {
  const rows = await countChangeRequests({ db }, { spaceIds });
  return new Map(rows.map(({ spaceId, ...counts }) => [spaceId, counts]));
});

const loadCounts = batchLoader<ChangeRequestCounts>('space:change-request-counts', async (ctx, ids) => {
  const readable = await withRole(ctx, ids, permissions.listChangeRequests.space);
  return readCounts(ctx, readable);
});

/** The spaces on which the caller has the wanted role. Needs no statement for spaces whose access is cached. */
async function withRole(ctx: Context, ids: string[], wanted: Role): Promise<string[]> {
  const accesses = await accessOn.space.loadMany(ctx, ids);
  return ids.filter((_, index) => atLeast(accesses[index]?.role ?? null, wanted));
}

/** The counts of a space, batched. 0 for callers who cannot list change requests, such as visitors of a site. */
export const changeRequestCounts = (ctx: Context, spaceId: string) =>
  andThen(loadCounts.peek(ctx, spaceId), (counts) => counts ?? NONE);

const countOpenComments = statement((db, { spaceIds }: { spaceIds: string[] }) =>
  db
    .selectFrom('comment')
    .where('spaceId', '=', anyOf(spaceIds))
    .where('changeRequestId', 'is', null)
    .where('resolvedAt', 'is', null)
    .groupBy('spaceId')
    .select(({ fn }) => ['spaceId', fn.countAll<number>().as('open')]),
);

const readOpenComments = sharedRead<number>(async (db, spaceIds) => {
  const rows = await countOpenComments({ db }, { spaceIds });
  return new Map(rows.map(({ spaceId, open }) => [spaceId, open]));
});

const loadOpenComments = batchLoader<number>('space:open-comments', async (ctx, ids) => {
  const readable = await withRole(ctx, ids, permissions.listComments.space);
  return readOpenComments(ctx, readable);
});

/** Number of open comments on the primary content of a space, batched. 0 for callers who cannot read comments. */
export const openCommentsOfSpace = (ctx: Context, spaceId: string) =>
  andThen(loadOpenComments.peek(ctx, spaceId), (open) => open ?? 0);

/** Adds counts that were read otherwise, as far as the caller has the role to see them. */
export function primeCounts(
  ctx: Context,
  spaceId: string,
  access: Access | undefined,
  counts: ChangeRequestCounts & { openComments: number },
): void {
  const may = (wanted: Role) => atLeast(access?.role ?? null, wanted);
  loadCounts.prime(ctx, spaceId, may(permissions.listChangeRequests.space) ? counts : undefined);
  loadOpenComments.prime(ctx, spaceId, may(permissions.listComments.space) ? counts.openComments : undefined);
}

/** Reads the counts of many spaces, one statement for each kind. */
export const readCountsOf = (ctx: Context, spaceIds: readonly string[]) =>
  Promise.all([loadCounts.loadMany(ctx, spaceIds), loadOpenComments.loadMany(ctx, spaceIds)]);
