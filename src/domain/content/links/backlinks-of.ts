import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { listing, PARENT_ID } from '../../../platform/paging/listing.ts';
import { asc } from '../../../platform/paging/order.ts';
import type { Listed } from '../../../platform/paging/page.ts';
import { type ListConditions, permissions } from '../../people/access/index.ts';
import { storedReferences } from '../../store/link-counts/index.ts';
import { holderOf, type VersionedLocation } from './content-location.ts';
import { type LinkSqlContext, linkSqlContext, noteVersion, versionLists } from './sql.ts';
import { headVersion, type LocationKind, type Version } from './versions.ts';

/** Kinds of references by the type of their target. */
const KINDS = { page: ['page', 'anchor'], file: ['file'] } as const;

export type BacklinkTarget = keyof typeof KINDS;

/** A page or reusable content that links to the target, once even if it has several links. */
interface BacklinkRow extends Record<string, unknown> {
  spaceId: string;
  id: string;
  kind: LocationKind;
  /** Key of the block with the first link; null if the link is in a field. */
  blockKey: string | null;
}

/** A backlink as a location, with the columns of its cursor. */
export type Backlink = VersionedLocation & { spaceId: string };

/**
 * Lists the pages and reusable contents that link to a page or file of a version. They are of the version itself and of
 * the heads of all spaces of the organization that the caller has a role on. Sorted by space id, then by the id of the
 * page or content.
 */
export function backlinksOf(
  ctx: Context,
  version: Version,
  { target, id }: { target: BacklinkTarget; id: string },
): Listed<Backlink> {
  const listed = list(ctx, noteVersion(ctx, version, id), { target });
  return {
    total: listed.total,
    async page(paging) {
      const { rows, cursorOf, ...page } = await listed.page(paging);
      // The cursor only uses columns that locations have too.
      const cursorOfLocation = cursorOf as (row: Pick<BacklinkRow, 'spaceId' | 'id'>) => string;
      return {
        ...page,
        cursorOf: cursorOfLocation,
        rows: rows.map((row) => ({ ...locationOf(version, row), spaceId: row.spaceId })),
      };
    },
  };
}

function locationOf(version: Version, { spaceId, id, kind, blockKey }: BacklinkRow): VersionedLocation {
  const at = spaceId === version.spaceId ? version : headVersion(spaceId, version.organizationId);
  return holderOf(at, { id, kind, node: blockKey });
}

const list = listing<{ target: BacklinkTarget }, BacklinkRow, ListConditions>({
  name: 'backlinks',
  from: ({ target }, { ctx, conditions }) => sql`(${grouped(linkSqlContext(ctx, PARENT_ID, conditions), target)}) b`,
  select: sql`b.*`,
  order: [asc('spaceId', 'text', 'b.spaceId'), asc('id', 'text', 'b.id')],
  access: versionLists,
});

/**
 * Checks permissions once per space, and only for spaces with a link. Spaces that the caller only sees on a site are
 * left out: there, pages and blocks can have conditions that the caller does not meet, and even a number would tell of
 * their links.
 */
const grouped = (scope: LinkSqlContext, target: BacklinkTarget) => sql`
  with found as materialized (${referencesTo(scope, target)}),
  seen as materialized (
    select s.id from space s
    where s.id in (select f.space_id from found f) and s.deleted_at is null and ${hasRole(scope, 's')} and exists (
        select from space own where own.id = ${scope.spaceId} and ${hasRole(scope, 'own')})
  )
  select f.space_id, f.id, f.kind, (array_agg(f.block_key order by f.position))[1] as block_key
  from found f where f.space_id in (select id from seen)
  group by f.space_id, f.id, f.kind`;

const hasRole = ({ conditions }: LinkSqlContext, row: string) =>
  conditions.space(row, permissions.listPageBacklinks.space);

/** Every reference to the target: from bodies, from fields of pages, and from the overlay of the version. */
function referencesTo(scope: LinkSqlContext, target: BacklinkTarget): RawBuilder<unknown> {
  const { spaceId, revisionId, only, overlays } = scope;
  const kinds = sql`any(${[...KINDS[target]]}::text[])`;
  const counts = (id: RawBuilder<unknown>) =>
    overlays ? sql`and not (h.space_id = t.id and (${revisionId}, ${id}) in (${overlays.replaced}))` : sql``;
  const isTarget = (named: RawBuilder<unknown>) => sql`t.id = ${spaceId} and coalesce(${named}, h.space_id) = t.id`;
  const fields = FIELDS.filter(({ targets }) => targets.includes(target)).map(
    ({ position, when, named, path }) => sql`
      select h.space_id, h.page_id, 'page', ${sql.lit(position)}, null
      from space t
      join page_node n on n.organization_id = t.organization_id and ${when} and ${named} = ${only}
      join head_page h on h.organization_id = n.organization_id and h.node_hash = n.hash
      where ${isTarget(sql`(n.fields #>> ${path('space')})`)} and n.fields #>> ${path('kind')} = ${kinds}
        ${counts(sql`h.page_id`)}`,
  );
  const inOverlay = sql`
    select ${spaceId}, o.id, o.kind, r.position, r.block_key
    from (${overlays?.put}) o cross join lateral (${storedReferences('o')}) r
    where o.revision_id = ${revisionId} and r.target_id = ${only} and r.kind = ${kinds}
      and coalesce(r.target_space_id, ${spaceId}) = ${spaceId}`;
  const inBodies = (table: string, column: RawBuilder<unknown>, kind: LocationKind) => sql`
    select h.space_id, ${column} as id, ${sql.lit(kind)} as kind, d.position, d.block_key
    from space t
    join document_reference d on d.organization_id = t.organization_id and d.target_id = ${only} and d.kind = ${kinds}
    join ${sql.table(table)} h on h.organization_id = d.organization_id and h.document_hash = d.document_hash
    where ${isTarget(sql`d.target_space_id`)} ${counts(column)}`;
  return sql.join(
    [
      inBodies('head_page', sql`h.page_id`, 'page'),
      inBodies('head_reusable_content', sql`h.reusable_content_id collate "default"`, 'reusable-content'),
      ...fields,
      ...(overlays ? [inOverlay] : []),
    ],
    sql` union all `,
  );
}

/** Fields of pages that contain references. Each has an index on the referenced id (`page_node_…_index`). */
const FIELDS: {
  position: number;
  targets: readonly BacklinkTarget[];
  when: RawBuilder<boolean>;
  named: RawBuilder<string>;
  path(member: string): RawBuilder<unknown>;
}[] = [
  {
    position: -3,
    targets: ['page', 'file'],
    when: sql<boolean>`n.kind = 'link'`,
    named: sql<string>`left(coalesce(n.fields #>> '{target,page}', n.fields #>> '{target,file}'), 200)`,
    path: (member) => sql.lit(`{target,${member}}`),
  },
  {
    position: -2,
    targets: ['file'],
    when: sql<boolean>`(n.fields #>> '{cover,ref,file}') is not null`,
    named: sql<string>`left(n.fields #>> '{cover,ref,file}', 200)`,
    path: (member) => sql.lit(`{cover,ref,${member}}`),
  },
  {
    position: -1,
    targets: ['file'],
    when: sql<boolean>`(n.fields #>> '{cover,refDark,file}') is not null`,
    named: sql<string>`left(n.fields #>> '{cover,refDark,file}', 200)`,
    path: (member) => sql.lit(`{cover,refDark,${member}}`),
  },
];
