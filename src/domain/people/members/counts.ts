import { sql } from 'kysely';
import { batchLoader } from '../../../platform/reads/loader.ts';
import { reaches, roleOfUser } from '../access/index.ts';

/** Numbers of resources that a member can read. */
export interface MemberCounts {
  spaces: number;
  sites: number;
  teams: number;
}

/**
 * Numbers of spaces and sites that a member can read through a role, and of their teams. By the id of the member,
 * batched. Spaces with the same default level, parent, sites and grants are read by the same people: the walk is made
 * once for each such set of spaces and member, not for each space.
 */
export const memberCounts = batchLoader<MemberCounts>('member-counts', async ({ db }, ids) => {
  const readable = (kind: 'space' | 'site', row: string) =>
    reaches(roleOfUser[kind](sql.ref('mb.userId'), row), 'read');
  const { rows } = await sql<MemberCounts & { id: string }>`
    with alike as materialized (
      select min(a.id) as id, a.organization_id, a.default_level, count(*) as size
      from (
        select s.id, s.organization_id, s.default_level,
          (select p.parent_id from placement p where p.item_id = s.id) as parent_id,
          array(select ss.site_id from site_space ss where ss.space_id = s.id order by 1) as sites,
          array(select g.grantee_id || ' ' || g.role from "grant" g where g.target_id = s.id order by 1) as grants
        from space s
        where s.deleted_at is null and s.organization_id in (
          select organization_id from membership where id = any(${ids}::text[]))
      ) a group by a.organization_id, a.default_level, a.parent_id, a.sites, a.grants
    )
    select mb.id,
      (select coalesce(sum(k.size), 0)::bigint from alike k
       where k.organization_id = mb.organization_id and ${readable('space', 'k')}) as spaces,
      (select count(*) from site w where w.organization_id = mb.organization_id and ${readable('site', 'w')}) as sites,
      (select count(*) from team_member t
       where t.organization_id = mb.organization_id and t.user_id = mb.user_id) as teams
    from membership mb where mb.id = any(${ids}::text[])`.execute(db);
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
});
