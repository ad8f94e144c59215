import { sql } from 'kysely';
import { batchLoader } from '../../../platform/loader.ts';
import { reaches, roleOfUser } from '../access/index.ts';

/** Numbers of resources that a member can read. */
export interface MemberCounts {
  spaces: number;
  sites: number;
  teams: number;
}

/** Numbers of spaces and sites that a member can read through a role, and of their teams. By the id of the member, batched. */
export const memberCounts = batchLoader<MemberCounts>('member-counts', async ({ db }, ids) => {
  const readable = (kind: 'space' | 'site', row: string) =>
    reaches(roleOfUser[kind](sql.ref('mb.userId'), row), 'read');
  const { rows } = await sql<MemberCounts & { id: string }>`
    select mb.id,
      (select count(*) from space s
       where s.organization_id = mb.organization_id and s.deleted_at is null and ${readable('space', 's')}) as spaces,
      (select count(*) from site w where w.organization_id = mb.organization_id and ${readable('site', 'w')}) as sites,
      (select count(*) from team_member t
       where t.organization_id = mb.organization_id and t.user_id = mb.user_id) as teams
    from membership mb where mb.id = any(${ids}::text[])`.execute(db);
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
});
