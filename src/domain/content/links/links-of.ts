import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { listing, PARENT_ID } from '../../../platform/paging/listing.ts';
import { asc } from '../../../platform/paging/order.ts';
import type { Listed } from '../../../platform/paging/page.ts';
import { batchLoader } from '../../../platform/reads/loader.ts';
import { type ListConditions, permissions } from '../../people/access/index.ts';
import { storedReferences } from '../../store/link-counts/index.ts';
import { holders, locations } from './locations.ts';
import { type LinkSqlContext, linkSqlContext, noteVersion, scopeOfHeads, versionLists } from './sql.ts';
import { statusOf } from './status.ts';
import type { LocationKind, Version } from './versions.ts';

export type LinkStatus = 'ok' | 'broken' | 'in-app';
export type BrokenContext = 'change-request' | 'space';

/** A reference with its location and status. */
export interface LinkRow extends Record<string, unknown> {
  locationId: string;
  locationKind: LocationKind;
  /** Position in the body, starting at 0; negative for fields of a page. */
  position: number;
  relation: 'reference' | 'dependsOn';
  ref: { kind: string; [member: string]: unknown };
  /** Key of the block with the reference; null for fields. */
  blockKey: string | null;
  status: LinkStatus;
}

/** A link with the version that it was found in. */
export type Link = LinkRow & { version: Version };

/** Counts of links. They do not depend on the filters of the list. */
export interface LinkStats {
  total: number;
  broken: number;
  /** Links that the change request broke; null outside of change requests. */
  brokenByChangeRequest: number | null;
}

export interface LinkFilter {
  status?: LinkStatus | undefined;
  brokenContext?: BrokenContext | undefined;
}

/** A list of links with counts over all of its pages. */
export interface LinkList extends Listed<Link> {
  stats(): Promise<LinkStats>;
}

/**
 * Lists the links of a version, or of one page in it. Sorted by the id of the page or content, then in reading order.
 */
export function linksOf(
  ctx: Context,
  version: Version,
  { pageId, isChangeRequest = false, ...filter }: LinkFilter & { pageId?: string; isChangeRequest?: boolean } = {},
): LinkList {
  const key = noteVersion(ctx, version, pageId);
  const listed = (pageId === undefined ? ofVersion : ofPage)(ctx, key, filter);
  let counted: Promise<LinkStats> | undefined;
  return {
    async total() {
      // REST returns both: do not count twice.
      const isWhole = filter.status === undefined && filter.brokenContext === undefined;
      return isWhole && counted ? (await counted).total : listed.total();
    },
    async page(paging) {
      const { rows, ...page } = await listed.page(paging);
      return { ...page, rows: rows.map((row) => ({ ...row, version })) };
    },
    stats() {
      counted ??= statsOf(ctx, { key, version, pageId, isChangeRequest });
      return counted;
    },
  };
}

async function statsOf(
  ctx: Context,
  {
    key,
    version,
    pageId,
    isChangeRequest,
  }: { key: string; version: Version; pageId: string | undefined; isChangeRequest: boolean },
): Promise<LinkStats> {
  const loadStats = pageId !== undefined ? statsOfPage : version.overlay ? statsOfVersion : statsOfHead;
  const { brokenByChangeRequest, ...stats } = (await loadStats(ctx, key)) ?? NONE;
  return { ...stats, brokenByChangeRequest: isChangeRequest ? brokenByChangeRequest : null };
}

const isOfPage = ({ only }: LinkSqlContext) => sql<boolean>`l.id = ${only}`;

const linkListing = (name: string, within: (scope: LinkSqlContext) => RawBuilder<boolean>) =>
  listing<LinkFilter, LinkRow, ListConditions>({
    name,
    unionAll: (filter, { ctx, conditions }) => {
      const scope = linkSqlContext(ctx, PARENT_ID, conditions);
      const status = wantedStatus(filter) ?? statusOf(scope, 'page');
      return holders(scope).map(
        (holder) => sql`
          select l.id as location_id, l.kind as location_kind, r.position, r.relation, r.ref, r.block_key, ${status} as status
          ${referencesIn(scope, holder)} and ${within(scope)} and ${passes(scope, filter)}`,
      );
    },
    order: [asc('locationId', 'text', 'k.locationId'), asc('position', 'integer', 'k.position')],
    access: versionLists,
  });

const ofVersion = linkListing('links', () => sql<boolean>`true`);
const ofPage = linkListing('page.links', isOfPage);

/**
 * The locations with their references, for callers who can read the space. The permission is checked once, not per row.
 */
const referencesIn = (scope: LinkSqlContext, holder: RawBuilder<unknown>, more: RawBuilder<unknown> = sql``) => sql`
  from (${holder}) l cross join lateral (${storedReferences('l')}) r ${more}
  where exists (select from space s where s.id = ${scope.spaceId} and s.deleted_at is null
    and ${scope.conditions.space('s', permissions.listSpaceLinks.space)})`;

/** The status that all listed links have; undefined if they can differ. */
const wantedStatus = ({ status, brokenContext }: LinkFilter): LinkStatus | undefined =>
  brokenContext === undefined ? status : 'broken';

function passes(scope: LinkSqlContext, filter: LinkFilter): RawBuilder<boolean> {
  const status = wantedStatus(filter);
  if (status === undefined) return sql<boolean>`true`;
  const hasStatus = sql<boolean>`${statusOf(scope, 'space')} = ${status}`;
  if (filter.brokenContext === undefined) return hasStatus;
  // No link is both broken and of another status.
  if (filter.status !== undefined && filter.status !== 'broken') return sql<boolean>`false`;
  const isWanted = filter.brokenContext === 'space' ? sql`not ${isOwnBreak(scope)}` : isOwnBreak(scope);
  return sql<boolean>`case when ${hasStatus} then ${isWanted} else false end`;
}

/**
 * A broken reference counts as broken by the change request unless the head has it in the same location, also broken.
 */
function isOwnBreak(scope: LinkSqlContext): RawBuilder<boolean> {
  const head = scopeOfHeads(scope);
  return sql<boolean>`not (${statusOf(head, 'space')} = 'broken' and (not l.is_put or exists (
    select from (${locations(head)}) h cross join lateral (${storedReferences('h')}) b
    where h.id = l.id and b.ref::text = r.ref::text)))`;
}

const NONE = { total: 0, broken: 0, brokenByChangeRequest: 0 };

type CountedLinks = typeof NONE & { key: string };

/** Counts in one pass over all references of each version, or of each page. */
const statsLoader = (name: string, within: (scope: LinkSqlContext) => RawBuilder<boolean>) =>
  batchLoader<typeof NONE>(name, async (ctx, keys) => {
    const counted = await versionLists<CountedLinks>(
      ctx,
      keys,
      async ({ columns = sql``, joins = sql``, conditions }) => {
        const scope = linkSqlContext(ctx, PARENT_ID, conditions);
        const isOwn = scope.overlays ? isOwnBreak(scope) : sql`false`;
        const status = sql`cross join lateral (select ${statusOf(scope, 'space')} = 'broken' as is_broken offset 0) st`;
        const { rows } = await sql<CountedLinks>`
        select parent.id as key, ${columns} counted.*
        from unnest(${keys}::text[]) as parent(id) ${joins}
        cross join lateral (
          select count(*)::int as total, (count(*) filter (where k.is_broken))::int as broken,
            (count(*) filter (where k.is_own))::int as broken_by_change_request
          from (
            select st.is_broken, case when st.is_broken then ${isOwn} end as is_own
            ${referencesIn(scope, locations(scope), status)} and ${within(scope)}
          ) k
        ) counted`.execute(ctx.db);
        return rows;
      },
    );
    return new Map(counted.map(({ key, ...stats }) => [key, stats]));
  });

/** Counts of heads, from the counters of their spaces: only the status of targets outside of a space is looked up. */
const statsOfHead = batchLoader<typeof NONE>('links:head-stats', async (ctx, keys) => {
  const counted = await versionLists<CountedLinks>(
    ctx,
    keys,
    async ({ columns = sql``, joins = sql``, conditions }) => {
      const scope = scopeOfHeads(linkSqlContext(ctx, PARENT_ID, conditions));
      const { rows } = await sql<CountedLinks>`
      select parent.id as key, ${columns} (coalesce(c.total, 0) + outside.total)::int as total,
        (coalesce(c.broken, 0) + outside.broken)::int as broken, 0 as broken_by_change_request
      from unnest(${keys}::text[]) as parent(id) ${joins}
      left join space s on s.id = ${scope.spaceId} and s.deleted_at is null
        and ${conditions.space('s', permissions.listSpaceLinks.space)}
      left join head_link_count c on c.space_id = s.id
      cross join lateral (
        select coalesce(sum(r.total), 0) as total,
          coalesce(sum(r.total) filter (where ${statusOf(scope, 'space')} = 'broken'), 0) as broken
        from (
          select o.*, json_build_object('anchor', o.anchor, 'operation', o.anchor) as ref from head_outside_link o
          where o.space_id = s.id and o.total > 0
        ) r
        cross join (select s.id as space_id, s.organization_id, null::bytea as document_hash) l
      ) outside`.execute(ctx.db);
      return rows;
    },
  );
  return new Map(counted.map(({ key, ...stats }) => [key, stats]));
});

const statsOfVersion = statsLoader('links:stats', () => sql<boolean>`true`);
const statsOfPage = statsLoader('links:page-stats', isOfPage);
