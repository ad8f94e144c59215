import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Role } from '../../../platform/access/roles.ts';
import { query } from '../../../platform/operation/operation.ts';
import { listing, PARENT_ID } from '../../../platform/paging/listing.ts';
import { asc } from '../../../platform/paging/order.ts';
import { levelsOf, permissions, type RoleTarget } from '../../people/access/index.ts';
import { granteeKind } from './enums.ts';
import { targetFor, targetName } from './target.ts';

/** A granted role as it is listed. */
export type GrantRow = {
  granteeId: string;
  /** Null if it is granted to a team. */
  userId: string | null;
  teamId: string | null;
  role: Role;
  /** 0 if it is granted on the resource itself. */
  depth: number;
  kind: RoleTarget;
  targetId: string;
};

interface Filters {
  grantee: z.infer<typeof granteeKind> | null;
  inherited: boolean;
}

const grantsOn = (kind: RoleTarget) =>
  listing<Filters, GrantRow>({
    name: `${kind}.grants`,
    from: sql`${levelsOf(kind, PARENT_ID)} l`,
    join: sql`
      join "grant" g on g.target_id = l.target_id and g.organization_id = l.organization_id
      left join membership m on m.user_id = g.grantee_id and m.organization_id = g.organization_id
      left join team t on t.id = g.grantee_id and t.organization_id = g.organization_id`,
    select: sql`g.grantee_id, m.user_id, t.id as team_id, g.role, l.depth, l.kind, l.target_id`,
    where: ({ grantee, inherited }) => [isEffective(grantee), !inherited && sql`l.depth = 0`],
    order: [
      asc('depth', 'integer', 'l.depth'),
      asc('targetId', 'text', 'l.targetId'),
      asc('granteeId', 'text', 'g.granteeId'),
    ],
  });

/** Without grants to former members, which have no effect. */
function isEffective(grantee: Filters['grantee']): RawBuilder<unknown> {
  const exists = { user: sql`m.id is not null`, team: sql`t.id is not null` };
  return grantee === null ? sql`(${exists.user} or ${exists.team})` : exists[grantee];
}

const lists = { space: grantsOn('space'), collection: grantsOn('collection'), site: grantsOn('site') };

export const listPermissionGrants = query({
  name: 'listPermissionGrants',
  description:
    'Lists the roles that are granted to users and teams on a space, collection or site, and those that it inherits: from the sites that show a space, then from the collections around it, the nearest first. For a user, the first level with a grant decides.',
  input: z.object({
    ...targetName,
    grantee: granteeKind.nullish().describe('Only roles that are granted to users, or to teams. By default, both.'),
    inherited: z
      .boolean()
      .nullish()
      .describe('Whether to include roles that are inherited from sites and collections. True by default.'),
  }),
  authorize: (ctx, ids) => targetFor(ctx, ids, permissions.listPermissionGrants.content),
  async run(ctx, { grantee = null, inherited, ...name }) {
    const { kind, id } = await targetFor(ctx, name, permissions.listPermissionGrants.content);
    return lists[kind](ctx, id, { grantee, inherited: inherited ?? true });
  },
});
