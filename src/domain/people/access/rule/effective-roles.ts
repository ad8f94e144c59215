import { type RawBuilder, sql } from 'kysely';
import { levelsOf } from './levels-of.ts';
import type { RoleTarget } from './sql-rule.ts';

/**
 * A subquery of the members of an organization with their roles on one of its resources. Its columns are `user_id`,
 * `joined_at`, `last_seen_at`, `is_disabled`, `email` (that of the membership), `role` (null without access) and
 * `source` (an `AccessSource`). Unless the role comes from the organization, `kind` and `target_id` name the level that
 * defines it, and `team_id` the team that it was granted to. The roles are those of `roleOfUser`, but the levels of the
 * resource are read once and not for each member. Disabled members have the role that they would have if they were
 * enabled.
 */
export const effectiveRoles = (kind: RoleTarget, id: RawBuilder<string>): RawBuilder<unknown> => sql`(
  with level as (select l.* from ${levelsOf(kind, id)} l),
  by_default as (
    select depth, kind, target_id, default_level as role from level where default_level is not null
    order by depth, default_level desc, target_id limit 1
  ),
  granted as (
    select distinct on (of_user.user_id)
      of_user.user_id, level.depth, level.kind, level.target_id, g.role, of_user.team_id
    from level
    join "grant" g on g.target_id = level.target_id and g.organization_id = level.organization_id
    cross join lateral (
      select g.grantee_id as user_id, null as team_id
      union all
      select tm.user_id, tm.team_id from team_member tm
      where tm.team_id = g.grantee_id and tm.organization_id = g.organization_id
    ) of_user
    order by of_user.user_id, level.depth, g.role desc, of_user.team_id nulls first, level.target_id
  ),
  decided as (
    select m.user_id, m.joined_at, m.last_seen_at, m.is_disabled, m.is_accepted, m.email, m.role as own_role, case
      when m.role = 'admin' then 'organization-admin'
      when m.role is not null and by_default.depth < coalesce(granted.depth, by_default.depth + 1) then 'default-level'
      when granted.role is null then case when m.role is null then 'none' else 'organization-role' end
      when granted.team_id is null then 'grant'
      else 'team-grant' end as source,
      granted.kind, granted.target_id, granted.role, granted.team_id
    from ${sql.table(kind)} r
    join membership m on m.organization_id = r.organization_id
    left join granted on granted.user_id = m.user_id
    left join by_default on true
    where r.id = ${id}
  )
  select d.user_id, d.joined_at, d.last_seen_at, d.is_disabled, d.is_accepted, d.email, d.source,
    case when of_grant then d.role when of_level then by_default.role else d.own_role end as role,
    case when of_grant then d.kind when of_level then by_default.kind end as kind,
    case when of_grant then d.target_id when of_level then by_default.target_id end as target_id,
    case when of_grant then d.team_id end as team_id
  from decided d
  left join by_default on true
  cross join lateral (
    select d.source in ('grant', 'team-grant') as of_grant, d.source = 'default-level' as of_level
  ) decides)`;
