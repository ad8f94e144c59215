import { type RawBuilder, sql } from 'kysely';
import type { Role } from '../../../../platform/access/roles.ts';
import { MAX_DEPTH, type RoleTarget } from './sql-rule.ts';

/** Kinds of resources that define access, and the place of their level: 0 is the resource itself. */
export type LevelKind = RoleTarget;

/** A resource that takes part in decisions about another one. */
export interface LevelRow {
  /** 0 for the resource itself, 1 for its sites, from 2 its collections from the nearest outwards. */
  depth: number;
  kind: LevelKind;
  targetId: string;
  organizationId: string;
  /** Its default level. Null inherits. */
  defaultLevel: Role | null;
}

const itself = (kind: RoleTarget, id: RawBuilder<string>) => sql`
  select 0 as depth, ${sql.lit(kind)} as kind, r.id as target_id, r.organization_id, r.default_level
  from ${sql.table(kind)} r where r.id = ${id}`;

const sitesOf = (id: RawBuilder<string>) => sql`
  select 1, 'site', si.id, si.organization_id, si.default_level
  from site_space ss join site si on si.id = ss.site_id join space r on r.id = ss.space_id
  where ss.space_id = ${id} and si.organization_id = r.organization_id`;

const collectionsAround = (kind: RoleTarget, id: RawBuilder<string>) => sql`
  select around.depth, 'collection', c.id, c.organization_id, c.default_level
  from (
    with recursive above(id, depth) as (
      select p.parent_id, 2 from placement p where p.item_id = ${id}
      union all
      select p.parent_id, above.depth + 1 from above join placement p on p.item_id = above.id
      where above.depth <= ${sql.lit(MAX_DEPTH)}
    )
    select above.id, above.depth from above) around
  join collection c on c.id = around.id
  join ${sql.table(kind)} r on r.id = ${id} and r.organization_id = c.organization_id`;

/**
 * The resources that decide about access to one resource, as a subquery with the columns of `LevelRow` in snake case:
 * the levels of `roleSql` without the role in the organization. The first level with a grant or a default level
 * decides.
 */
export function levelsOf(kind: RoleTarget, id: RawBuilder<string>): RawBuilder<unknown> {
  const levels = [
    itself(kind, id),
    ...(kind === 'space' ? [sitesOf(id)] : []),
    ...(kind === 'site' ? [] : [collectionsAround(kind, id)]),
  ];
  return sql`(${sql.join(levels, sql` union all `)})`;
}
