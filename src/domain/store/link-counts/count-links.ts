import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { hasAnchor, hasHost, OPTIMIZATION_FENCE } from './link-conditions.ts';
import { storedReferences } from './stored-references.ts';

export interface CountedSpace {
  organizationId: string;
  spaceId: string;
}

/** Pages and reusable contents of a head, by id. */
export interface Holders {
  pages: readonly string[];
  contents: readonly string[];
}

/** Changes of a new head that affect the status of references. Ids of pages, files and reusable contents. */
export interface LinkChanges {
  /** Pages and reusable contents that are new, different or gone, whose own references can differ. */
  holders: Holders;
  /** Targets that are new or gone. */
  targets: readonly string[];
  /** Pages with other anchors. */
  anchored: readonly string[];
}

type Named = Pick<LinkChanges, 'targets' | 'anchored'>;

/**
 * Updates the counters of links of a space around a change of its head projection, which `project` makes. The caller
 * holds the row lock of the space. References that the change can affect are subtracted as they were and added as they
 * are, so the work is proportional to the change and to the references to what it adds and removes: two statements. Of
 * a location that only refers to what changes, the other references are read, but their targets are not looked up.
 */
export async function countLinksAround(
  ctx: Context,
  target: CountedSpace,
  { holders, targets, anchored }: LinkChanges,
  project: () => Promise<void>,
): Promise<void> {
  if (holders.pages.length + holders.contents.length + targets.length + anchored.length === 0) return project();
  const named = { targets, anchored };
  const { rows } = await add(ctx, target, {
    locations: affectedLocations(target, { holders, ...named }),
    named,
    sign: -1,
  });
  await project();
  const others = rows.filter(({ isWhole }) => !isWhole);
  const idsOf = (kind: HolderRow['holder']) => others.flatMap((row) => (row.holder === kind ? row.id : []));
  const referring = { pages: idsOf('page'), contents: idsOf('reusable-content') };
  const locations = sql`
    ${locationsById(target, holders, IS_WHOLE)} union all ${locationsById(target, referring, IS_PART)}`;
  await add(ctx, target, { locations, named, sign: 1 });
}

interface HolderRow {
  id: string;
  holder: 'page' | 'reusable-content';
  isWhole: boolean;
}

interface Addition {
  /** Rows of `LOCATION`. All references of those with `is_whole` count; of the others, those to what is named. */
  locations: RawBuilder<unknown>;
  named: Named;
  sign: 1 | -1;
}

/** Adds the references of locations to the counters, or subtracts them; one statement. Returns the locations. */
const add = (ctx: Context, { spaceId, organizationId }: CountedSpace, { locations, named, sign }: Addition) =>
  sql<HolderRow>`
    with l as materialized (${locations}),
    counted as materialized (
      select r.kind, r.target_id, r.target_space_id, ${part} as anchor,
        ${isOutside} as is_outside, case when ${isOutside} then false else ${isBroken} end as is_broken
      from l cross join lateral (${storedReferences('l')}) r
      where l.is_whole or ${refersTo(named)}
    ),
    inside as (
      insert into head_link_count (space_id, organization_id, total, broken)
      select ${spaceId}, ${organizationId}, ${sql.lit(sign)} * count(*), ${sql.lit(sign)} * count(*) filter (where c.is_broken)
      from counted c where not c.is_outside having count(*) > 0
      on conflict (space_id) do update set
        total = head_link_count.total + excluded.total, broken = head_link_count.broken + excluded.broken
    ),
    outside as (
      insert into head_outside_link (space_id, target_key, organization_id, kind, target_id, target_space_id, anchor, total)
      select ${spaceId}, md5(json_build_array(c.kind, c.target_id, c.target_space_id, c.anchor)::text), ${organizationId},
        c.kind, c.target_id, c.target_space_id, c.anchor, ${sql.lit(sign)} * count(*)
      from counted c where c.is_outside
      group by c.kind, c.target_id, c.target_space_id, c.anchor
      on conflict (space_id, target_key) do update set total = head_outside_link.total + excluded.total
    )
    select l.id, l.holder, l.is_whole as "isWhole" from l`.execute(ctx.db);

/** Whether a reference `r` is to one of the targets, or to an anchor. Looked up in hash tables, unlike `= any …`. */
const refersTo = ({ targets, anchored }: Named) => sql<boolean>`(
  r.target_id in (select unnest(${targets}::text[]))
  or r.kind = 'anchor' and r.target_id in (select unnest(${anchored}::text[])))`;

/** The part of its target that a reference points to: an anchor of a page, or an operation of a specification. */
const part = sql<string>`case r.kind when 'anchor' then r.ref ->> 'anchor' when 'openapi' then r.ref ->> 'operation' end`;

/** Whether the page of a reference is stored in its own space. */
const hasPage = sql<boolean>`exists (
  select from head_page x where x.space_id = l.space_id and x.page_id = r.target_id ${OPTIMIZATION_FENCE})`;

/**
 * Whether the status of a reference depends on the reader, on other spaces or on sources: a page that is not stored may
 * be computed.
 */
const isOutside = sql<boolean>`(r.kind in ('space', 'collection', 'user', 'openapi')
  or r.target_space_id is not null and r.kind in ('page', 'anchor', 'file', 'reusable-content')
  or r.kind in ('page', 'anchor') and r.target_id is not null and not ${hasPage})`;

/** Whether a reference `r` of a location `l` is broken, if it is to its own space. */
const isBroken = sql<boolean>`not case r.kind
  when 'url' then ${hasHost}
  when 'page' then ${hasPage}
  when 'file' then exists (
    select from head_file x where x.space_id = l.space_id and x.file_id = r.target_id collate "C" ${OPTIMIZATION_FENCE})
  when 'reusable-content' then exists (
    select from head_reusable_content x
    where x.space_id = l.space_id and x.reusable_content_id = r.target_id collate "C" ${OPTIMIZATION_FENCE})
  when 'anchor' then case
    when r.target_id is null then ${hasAnchor(sql`l.document_hash`)}
    else exists (
      select from (
        select x.document_hash from head_page x where x.space_id = l.space_id and x.page_id = r.target_id
      ) b where ${hasAnchor(sql`b.document_hash`)} ${OPTIMIZATION_FENCE})
    end
  else false
end`;

/** Whether all references of a location are counted. */
const IS_WHOLE = sql`true as is_whole`;
const IS_PART = sql`false as is_whole`;

const LOCATION = {
  page: sql`'page' as holder, h.page_id as id, h.space_id, h.organization_id, h.document_hash, h.node_hash`,
  content: sql`'reusable-content' as holder, h.reusable_content_id collate "default" as id, h.space_id, h.organization_id,
    h.document_hash, null::bytea as node_hash`,
};

const locationsById = (
  { spaceId }: CountedSpace,
  holders: Holders,
  isWhole: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select ${LOCATION.page}, ${isWhole} from head_page h
  where h.space_id = ${spaceId} and h.page_id = ${anyOf(holders.pages)}
  union all
  select ${LOCATION.content}, ${isWhole} from head_reusable_content h
  where h.space_id = ${spaceId} and h.reusable_content_id = ${anyOf(holders.contents)}`;

/**
 * Without duplicates: the changed locations, of which all references are counted (`is_whole`), and those that link to a
 * changed target.
 */
function affectedLocations(target: CountedSpace, { holders, ...named }: LinkChanges): RawBuilder<unknown> {
  const own = locationsById(target, holders, IS_WHOLE);
  if (named.targets.length + named.anchored.length === 0) return own;
  return sql`
    select u.holder, u.id, u.space_id, u.organization_id, u.document_hash, u.node_hash, bool_or(u.is_whole) as is_whole
    from (${own} union all ${referringLocations(target, named)}) u
    group by u.holder, u.id, u.space_id, u.organization_id, u.document_hash, u.node_hash`;
}

/** The locations that refer to the targets, or to anchors of the pages. May contain duplicates. */
function referringLocations(
  { spaceId, organizationId }: CountedSpace,
  { targets, anchored }: Named,
): RawBuilder<unknown> {
  const names = (when: RawBuilder<boolean>) => sql`
    select d.document_hash from document_reference d
    where d.organization_id = ${organizationId} and d.target_space_id is null and ${when}`;
  const bodies = sql`${names(sql`d.target_id = ${anyOf(targets)}`)}
    union ${names(sql`d.kind = 'anchor' and d.target_id = ${anyOf(anchored)}`)}`;
  const fields = sql.join(
    FIELDS.map(
      ({ when, named }) => sql`
        select n.hash from page_node n
        where n.organization_id = ${organizationId} and ${when} and ${named} = ${anyOf([...targets, ...anchored])}`,
    ),
    sql` union `,
  );
  return sql`
    select ${LOCATION.page}, ${IS_PART} from (${bodies}) d
    join head_page h on h.organization_id = ${organizationId} and h.document_hash = d.document_hash and h.space_id = ${spaceId}
    union all
    select ${LOCATION.content}, ${IS_PART} from (${bodies}) d
    join head_reusable_content h
      on h.organization_id = ${organizationId} and h.document_hash = d.document_hash and h.space_id = ${spaceId}
    union all
    select ${LOCATION.page}, ${IS_PART} from (${fields}) n
    join head_page h on h.organization_id = ${organizationId} and h.node_hash = n.hash and h.space_id = ${spaceId}`;
}

/** Fields of pages that contain references. Each has an index on the referenced id (`page_node_…_index`). */
const FIELDS = [
  {
    when: sql<boolean>`n.kind = 'link'`,
    named: sql<string>`left(coalesce(n.fields #>> '{target,page}', n.fields #>> '{target,file}'), 200)`,
  },
  {
    when: sql<boolean>`(n.fields #>> '{target,reusableContent}') is not null`,
    named: sql<string>`left(n.fields #>> '{target,reusableContent}', 200)`,
  },
  {
    when: sql<boolean>`(n.fields #>> '{cover,ref,file}') is not null`,
    named: sql<string>`left(n.fields #>> '{cover,ref,file}', 200)`,
  },
  {
    when: sql<boolean>`(n.fields #>> '{cover,refDark,file}') is not null`,
    named: sql<string>`left(n.fields #>> '{cover,refDark,file}', 200)`,
  },
] as const;
