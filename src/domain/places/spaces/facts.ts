import { type RawBuilder, sql } from 'kysely';
import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context.ts';
import { statement } from '../../../platform/database/statement.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { batchLoader } from '../../../platform/loader.ts';
import { sharedRead } from '../../../platform/shared-reads.ts';
import {
  type Access,
  accessesBy,
  accessIn,
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

/** Columns of other tables about a space. The members of `git_sync` are null if it is not synchronized. */
interface SpaceFacts extends GitSyncRow, ChangeRequestCounts {
  factsOf: string;
  /** Of the space. That of the synchronization is null without one. */
  belongsTo: string;
  /** The collection or organization that contains the space. Null if it is not placed. */
  placedIn: string | null;
  openComments: number;
}

/** Counts of the change requests of a space, of which the alias is given. */
const changeRequestsOf = (row: string) => sql`
  select count(*) as total, count(*) filter (where status = 'open') as open, count(*) filter (where status = 'draft') as draft
  from change_request where space_id = ${sql.ref(`${row}.id`)}`;

/** The same for open comments on its primary content. */
const openCommentsOf = (row: string) => sql`
  select count(*) as open_comments from comment
  where space_id = ${sql.ref(`${row}.id`)} and change_request_id is null and resolved_at is null`;

const factsOf = (spaceIds: string[], columns: RawBuilder<unknown>) => sql<SpaceFacts>`
  select g.*, r.id as facts_of, r.organization_id as belongs_to, p.parent_id as placed_in,
    n.total, n.open, n.draft, c.open_comments, ${columns}
  from space r
  join access_version av on av.organization_id = r.organization_id
  left join placement p on p.item_id = r.id
  left join git_sync g on g.space_id = r.id
  cross join lateral (${changeRequestsOf('r')}) n
  cross join lateral (${openCommentsOf('r')}) c
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

/** What the list of an organization reads of other tables beside each space, except Git synchronization. */
interface FactsBeside extends ChangeRequestCounts {
  placedIn: string | null;
  isSynchronized: boolean;
  openComments: number;
  /** Of the access of the organization, as lists read it beside their items. */
  accessVersion: string;
}

export type SpaceWithFacts = Row<'space'> & FactsBeside;

/** For the spaces of a list (`ListingDefinition.beside`). The subquery is not joined in another order, which would be that of the list. */
export const factsBeside = {
  columns: sql`, facts.*`,
  join: sql`
    left join lateral (
      select p.parent_id as placed_in, g.space_id is not null as is_synchronized, n.total, n.open, n.draft, c.open_comments
      from (select item.id) r
      left join placement p on p.item_id = r.id
      left join git_sync g on g.space_id = r.id
      cross join lateral (${changeRequestsOf('r')}) n
      cross join lateral (${openCommentsOf('r')}) c
      offset 0
    ) facts on true`,
};

/**
 * Reads access, parent, counts and Git synchronization of spaces in one statement, for callers who want all of them: the
 * loaders of each then have them. Of spaces that a list has read with `factsBeside`, only the Git synchronization is read
 * if there is one.
 */
export async function readFactsOf(ctx: Context, rows: readonly (Row<'space'> & Partial<FactsBeside>)[]): Promise<void> {
  const withFacts = rows.filter((row): row is SpaceWithFacts => row.openComments !== undefined);
  const others = takeFacts(ctx, withFacts) ? rows.filter((row) => row.openComments === undefined) : rows;
  const synchronized = withFacts.filter(({ isSynchronized }) => isSynchronized).map(({ id }) => id);
  await Promise.all([readOthers(ctx, others), loadGitSync.readAll(ctx, synchronized)]);
}

async function readOthers(ctx: Context, others: readonly Row<'space'>[]): Promise<void> {
  if (others.length === 0) return;
  const ids = others.map(({ id }) => id);
  const mapsOf = mapsOfRows(ctx);
  const unknown: string[] = [];
  for (const facts of await loadFacts.all(ctx, ids)) {
    if (!facts) continue;
    const { factsOf: id, belongsTo: organizationId } = facts;
    loadGitSync.prime(ctx, id, facts.spaceId === null ? undefined : facts);
    if (!takePlace(ctx, { ...facts, id, organizationId }, facts, mapsOf)) unknown.push(id);
  }
  await visibleParentId.readAll(ctx, unknown);
}

/** Gives the loaders what a list has read. False, with nothing done, if access cannot be decided on the maps of this process. */
function takeFacts(ctx: Context, rows: readonly SpaceWithFacts[]): boolean {
  const accesses = accessesBy(ctx, 'space', rows.map(guardOf));
  if (!accesses) return false;
  const mapsOf = mapsOfRows(ctx);
  for (const [index, row] of rows.entries()) {
    takePlace(ctx, row, accesses[index] as Access, mapsOf); // one for each row
    if (!row.isSynchronized) loadGitSync.prime(ctx, row.id, undefined);
  }
  return true;
}

const guardOf = ({ id, organizationId, defaultLevel, placedIn, accessVersion }: SpaceWithFacts): Guarded => ({
  accessId: id,
  accessOrganizationId: organizationId,
  accessLevel: defaultLevel,
  accessParentId: placedIn,
  accessVersion,
});

type Place = Pick<SpaceWithFacts, 'id' | 'organizationId' | Exclude<keyof FactsBeside, 'isSynchronized'>>;

/** Gives the loaders access, parent and counts of a space. False if the access to its parent has to be read. */
function takePlace(ctx: Context, place: Place, access: Access, mapsOf: ReturnType<typeof mapsOfRows>): boolean {
  const { id, organizationId, placedIn, accessVersion } = place;
  const parentId = placedIn === organizationId ? null : placedIn;
  accessOn.space.prime(ctx, id, accessIn(access));
  parentOf.prime(ctx, id, parentId ?? (placedIn === null ? undefined : null));
  primeCounts(ctx, id, access, place);
  const onParent = parentId === null ? null : mapsOf({ organizationId, accessVersion })?.roleOnCollection(parentId);
  if (onParent === undefined) return false;
  const isVisible = parentId !== null && atLeast(onParent, permissions.getCollection.collection);
  visibleParentId.prime(ctx, id, isVisible ? parentId : undefined);
  return true;
}
