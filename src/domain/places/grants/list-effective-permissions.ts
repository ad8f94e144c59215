import { sql } from 'kysely';
import { z } from 'zod';
import type { Role } from '../../../platform/access/roles.ts';
import { query } from '../../../platform/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { effectiveRoles, permissions, type RoleTarget, role } from '../../people/access/index.ts';
import { targetFor, targetName } from './target.ts';

/** A member with the role that decisions have. */
export type EffectiveRow = { userId: string; joinedAt: string; role: Role };

interface Filters {
  role: z.infer<typeof role> | null;
}

const membersOn = (kind: RoleTarget) =>
  listing<Filters, EffectiveRow>({
    name: `${kind}.members`,
    select: sql`e.user_id, e.joined_at, e.role`,
    from: (targetId, filters) => sql`
      from ${effectiveRoles(kind, targetId)} e
      where ${filters.role === null ? sql`e.role >= 'read'` : sql`e.role = ${filters.role}::role`}`,
    order: () => [
      { by: sql`e.joined_at`, key: 'joinedAt', direction: 'desc', type: 'timestamptz' },
      { by: sql`e.user_id`, key: 'userId', direction: 'desc', type: 'text' },
    ],
  });

const lists = { space: membersOn('space'), collection: membersOn('collection'), site: membersOn('site') };

export const listEffectivePermissions = query({
  name: 'listEffectivePermissions',
  description:
    'Lists the members of the organization who have access to a space, collection or site, with their roles on it, wherever the roles come from. The newest members come first.',
  input: z.object({ ...targetName, role: role.nullish().describe('Only members with exactly this role.') }),
  authorize: (ctx, ids) => targetFor(ctx, ids, permissions.listEffectivePermissions.content),
  async run(ctx, { role: wanted = null, ...name }) {
    const { kind, id } = await targetFor(ctx, name, permissions.listEffectivePermissions.content);
    return lists[kind](ctx, id, { role: wanted });
  },
});
