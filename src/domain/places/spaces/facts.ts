import { type RawBuilder, sql } from 'kysely';
import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context.ts';
import { statement } from '../../../platform/database/statement.ts';
import { batchLoader } from '../../../platform/loader.ts';
import { sharedRead } from '../../../platform/shared-reads.ts';
import {
  accessOn,
  type DecidedAccess,
  type Guarded,
  mapsOfRows,
  permissions,
  withAccess,
} from '../../people/access/index.ts';
import { type GitSyncRow, loadGitSync } from '../../store/git-sync/index.ts';
import { visibleParentId } from '../collections/index.ts';
import { parentOf } from '../placement/index.ts';
import { type ChangeRequestCounts, primeCounts } from './counts.ts';

/** What other tables hold about a space. The members of `git_sync` are null if it is not synchronized. */
interface SpaceFacts extends GitSyncRow, ChangeRequestCounts {
  factsOf: string;
  /** Of the space. That of the synchronization is null without one. */
  belongsTo: string;
  /** The collection or organization that contains the space. Null if it is not placed. */
  placedIn: string | null;
  openComments: number;
}

const factsOf = (spaceIds: string[], columns: RawBuilder<unknown>) => sql<SpaceFacts>`
  select g.*, r.id as facts_of, r.organization_id as belongs_to, p.parent_id as placed_in,
    n.total, n.open, n.draft, c.open_comments, ${columns}
  from space r
  join access_version av on av.organization_id = r.organization_id
  left join placement p on p.item_id = r.id
  left join git_sync g on g.space_id = r.id
  cross join lateral (
    select count(*) as total, count(*) filter (where status = 'open') as open, count(*) filter (where status = 'draft') as draft
    from change_request where space_id = r.id) n
  cross join lateral (
    select count(*) as open_comments from comment
    where space_id = r.id and change_request_id is null and resolved_at is null) c
  where r.id = any(${spaceIds}::text[])`;

/** The columns of `Guarded`, of which the statement has read the parent already. */
const GUARD = sql`r.id as "accessId", r.organization_id as "accessOrganizationId", r.default_level as "accessLevel",
  p.parent_id as "accessParentId", av.version as "accessVersion"`;

const selectFacts = statement(
  (_db, { spaceIds }: { spaceIds: string[] }) => factsOf(spaceIds, GUARD) as RawBuilder<SpaceFacts & Guarded>,
);

const sharedFacts = sharedRead(async (db, spaceIds) => {
  const rows = await selectFacts({ db }, { spaceIds });
  return new Map(rows.map((facts) => [facts.factsOf, facts]));
});

/** Read together for all parts of a request, such as the sections of a site. */
const loadFacts = batchLoader<SpaceFacts & DecidedAccess>('space:facts', async (ctx, spaceIds) => {
  const found = await withAccess<SpaceFacts>(ctx, { kind: 'space', row: 'r' }, async ({ columns, isSame }) =>
    isSame && !ctx.inTransaction
      ? [...(await sharedFacts(ctx, spaceIds)).values()]
      : (await factsOf(spaceIds, columns).execute(ctx.db)).rows,
  );
  return new Map(found.map((facts) => [facts.factsOf, facts]));
});

/**
 * Reads access, parent, counts and Git synchronization of spaces in one statement, for callers who want all of them: the
 * loaders of each then have them.
 */
export async function readFactsOf(ctx: Context, spaceIds: readonly string[]): Promise<void> {
  const mapsOf = mapsOfRows(ctx);
  const unknown: string[] = [];
  for (const facts of await loadFacts.all(ctx, spaceIds)) {
    if (!facts) continue;
    const { factsOf: id, belongsTo: organizationId, placedIn, role, isShown, accessVersion } = facts;
    const parentId = placedIn === organizationId ? null : placedIn;
    accessOn.space.prime(ctx, id, { role, isShown });
    parentOf.prime(ctx, id, parentId ?? (placedIn === null ? undefined : null));
    loadGitSync.prime(ctx, id, facts.spaceId === null ? undefined : facts);
    primeCounts(ctx, id, facts, facts);
    const onParent = parentId === null ? null : mapsOf({ organizationId, accessVersion })?.roleOnCollection(parentId);
    if (onParent === undefined) unknown.push(id);
    else if (parentId !== null && atLeast(onParent, permissions.getCollection.collection))
      visibleParentId.prime(ctx, id, parentId);
    else visibleParentId.prime(ctx, id, undefined);
  }
  await visibleParentId.readAll(ctx, unknown);
}
