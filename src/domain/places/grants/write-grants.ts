import { sql } from 'kysely';
import type { z } from 'zod';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { prefixOf } from '../../../platform/ids/ids.ts';
import type { role } from '../../people/access/index.ts';
import { type GrantTarget, idsOf } from './target.ts';

type GrantedRole = z.infer<typeof role>;

/**
 * Gives users and teams a role on a target, or takes away the one they have if the role is null. Records an event for
 * each grant that changes, and returns their grantees.
 */
export async function writeGrants(
  ctx: Context,
  target: GrantTarget,
  granteeIds: readonly string[],
  granted: GrantedRole | null,
): Promise<string[]> {
  const before = await rolesOf(ctx, target, granteeIds);
  const changed = await (granted === null ? remove(ctx, target, granteeIds) : upsert(ctx, target, granteeIds, granted));
  for (const granteeId of changed) {
    const changes = { role: { from: before.get(granteeId) ?? null, to: granted } };
    const ids = { ...idsOf(target), [prefixOf(granteeId) === 'team' ? 'teamId' : 'userId']: granteeId };
    const about = {
      organizationId: target.organizationId,
      spaceId: target.kind === 'space' ? target.id : null,
      ids,
      changes,
    };
    await recordEvent(
      ctx,
      granted === null ? { kind: 'permission_revoked', ...about } : { kind: 'permission_granted', ...about },
    );
  }
  return changed;
}

async function rolesOf(
  { db }: Context,
  { id }: GrantTarget,
  granteeIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('grant')
    .where('targetId', '=', id)
    .where('granteeId', '=', anyOf(granteeIds))
    .select(['granteeId', 'role'])
    .execute();
  return new Map(rows.map(({ granteeId, role: grantedRole }) => [granteeId, grantedRole]));
}

async function upsert(
  ctx: Context,
  { id, organizationId }: GrantTarget,
  granteeIds: readonly string[],
  granted: GrantedRole,
): Promise<string[]> {
  const { rows } = await sql<{ granteeId: string }>`
    insert into "grant" (target_id, grantee_id, organization_id, role, created_at)
    select ${id}, grantee.id, ${organizationId}, ${granted}::role, ${nowOf(ctx)}
    from (select distinct unnest(${granteeIds as string[]}::text[]) as id) grantee
    on conflict (target_id, grantee_id) do update set role = excluded.role where "grant".role <> excluded.role
    returning grantee_id`.execute(ctx.db);
  return rows.map(({ granteeId }) => granteeId);
}

async function remove(ctx: Context, { id }: GrantTarget, granteeIds: readonly string[]): Promise<string[]> {
  const rows = await ctx.db
    .deleteFrom('grant')
    .where('targetId', '=', id)
    .where('granteeId', '=', anyOf(granteeIds))
    .returning('granteeId')
    .execute();
  return rows.map(({ granteeId }) => granteeId);
}
