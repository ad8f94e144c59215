import { sql } from 'kysely';
import { userIdOf } from '../../../platform/access/actor.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { rowLoader } from '../../../platform/loader.ts';

export type MemberRow = Row<'membership'>;

/** Members by id, batched: seen by those who hold a role in the organization, and everybody by themselves. */
export const loadMember = rowLoader<MemberRow>('member', async (ctx, ids) => {
  const userId = userIdOf(ctx.actor);
  if (userId === undefined) return [];
  const { rows } = await sql<MemberRow>`
    select m.* from membership m
    join membership own on own.organization_id = m.organization_id and own.user_id = ${userId} and not own.is_disabled
    where m.id = any(${ids}::text[]) and (own.role is not null or m.id = own.id)`.execute(ctx.db);
  return rows;
});
