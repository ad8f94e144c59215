import { type RawBuilder, sql } from 'kysely';
import { levelsOf } from './levels-of.ts';
import type { RoleTarget } from './role.ts';

/**
 * The members of an organization with their roles on one of its resources, as a subquery with the columns `user_id`,
 * `joined_at` and `role`. Has the results of `roleOn`, but the levels of the resource are read once and not for each
 * member. Disabled members are not included. The role is null for members without access.
 */
export const effectiveRoles = (kind: RoleTarget, id: RawBuilder<string>): RawBuilder<unknown> => sql`(
  with level as (select l.* from ${levelsOf(kind, id)} l),
  by_default as (
    select depth, max(default_level) as role from level where default_level is not null
    group by depth order by depth limit 1
  ),
  granted as (
    select distinct on (of_user.user_id) of_user.user_id, level.depth, g.role
    from level
    join "grant" g on g.target_id = level.target_id and g.organization_id = level.organization_id
    cross join lateral (
      select g.grantee_id as user_id
      union all
      select tm.user_id from team_member tm
      where tm.team_id = g.grantee_id and tm.organization_id = g.organization_id
    ) of_user
    order by of_user.user_id, level.depth, g.role desc
  )
  select m.user_id, m.joined_at, case
    when m.role = 'admin' then m.role
    when m.role is not null and by_default.depth < coalesce(granted.depth, by_default.depth + 1) then by_default.role
    else coalesce(granted.role, m.role) end as role
  from ${sql.table(kind)} r
  join membership m on m.organization_id = r.organization_id
  left join granted on granted.user_id = m.user_id
  left join by_default on true
  where r.id = ${id} and not m.is_disabled)`;
