import { sql } from 'kysely';
import { z } from 'zod';
import type { Role } from '../../../platform/access/roles.ts';
import { containsText } from '../../../platform/database/conditions.ts';
import { forbidden } from '../../../platform/errors/errors.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { listing, PARENT_ID } from '../../../platform/paging/listing.ts';
import { sortBy } from '../../../platform/paging/order.ts';
import { type orderDirection, orderInput } from '../../../platform/paging/order-by.ts';
import { multilineText } from '../../../platform/shapes/text.ts';
import {
  type AccessSource,
  accessInOrganization,
  effectiveRoles,
  permissions,
  type RoleTarget,
  role,
} from '../../people/access/index.ts';
import { effectiveOrderField } from './enums.ts';
import { teamsAmong } from './grantees.ts';
import { targetFor, targetName } from './target.ts';

/** A member with the role that decisions have. */
export type EffectiveRow = {
  userId: string;
  joinedAt: string;
  lastSeenAt: string | null;
  isDisabled: boolean;
  /** Null without access. */
  role: Role | null;
  source: AccessSource;
  /** The resource that defines the role. Null if it comes from the organization. */
  kind: RoleTarget | null;
  targetId: string | null;
  /** The team that the role is granted to. */
  teamId: string | null;
  organizationId: string;
  /** Empty unless the list is sorted by it. */
  nameKey: string;
};

const needed = permissions.listEffectivePermissions.content;

const order = orderInput('EffectivePermissionOrder', 'Sort order of members with access.', effectiveOrderField);

const filters = {
  role: role.nullish().describe('Only members with exactly this role.'),
  hasAccess: z
    .boolean()
    .nullish()
    .describe('Whether to list the members with access, or those without. True by default.'),
  includeDisabled: z
    .boolean()
    .nullish()
    .describe(
      'Whether to include disabled members, with the role that they have again once they are enabled. False by default.',
    ),
  teamId: idOf('team').nullish().describe('Only members of this team.'),
  search: multilineText(0, 256)
    .nullish()
    .describe(
      'Only members whose display name contains this text, ignoring case. The email address counts too, unless you are a guest.',
    ),
  orderBy: order.nullish().describe('Sort order. Default: the latest to join first.'),
};

/** Normalized filters and order. Cursors are bound to them. */
interface Choice {
  role: z.infer<typeof role> | null;
  hasAccess: boolean;
  includeDisabled: boolean;
  teamId: string | null;
  search: string | null;
  searchesEmails: boolean;
  field: z.infer<typeof effectiveOrderField>;
  direction: z.infer<typeof orderDirection>;
}

function passes({ role: roleFilter, hasAccess, includeDisabled, teamId, search, searchesEmails, field }: Choice) {
  const byRole =
    roleFilter === null ? sql`(coalesce(e.role, 'none') >= 'read') = ${hasAccess}` : sql`e.role = ${roleFilter}::role`;
  return [
    byRole,
    !includeDisabled && sql`not e.is_disabled`,
    teamId !== null &&
      sql`exists (
        select from team_member of_team join team on team.id = of_team.team_id
        where of_team.team_id = ${teamId} and of_team.user_id = e.user_id and team.organization_id = t.organization_id)`,
    search !== null &&
      (searchesEmails
        ? sql`(${containsText(sql`u.display_name`, search)} or ${containsText(sql`e.email`, search)}
            or e.is_accepted and ${containsText(sql`u.email`, search)})`
        : containsText(sql`u.display_name`, search)),
    field === 'lastSeenAt' && sql`e.last_seen_at is not null`,
  ];
}

const NAME = sql`coalesce(lower(u.display_name), '')`;

const sortedBy = {
  joinedAt: { by: 'e.joinedAt', key: 'joinedAt', type: 'timestamptz' },
  lastSeenAt: { by: 'e.lastSeenAt', key: 'lastSeenAt', type: 'timestamptz' },
  name: { by: NAME, key: 'nameKey', type: 'text' },
} as const;

const membersOn = (kind: RoleTarget) =>
  listing<Choice, EffectiveRow>({
    name: `${kind}.members`,
    from: sql`${effectiveRoles(kind, PARENT_ID)} e`,
    join: sql`join ${sql.table(kind)} t on t.id = parent.id left join "user" u on u.id = e.user_id`,
    select: sql`e.*, t.organization_id, ${NAME} as name_key`,
    where: passes,
    order: ({ field, direction }) => [
      { ...sortedBy[field], direction },
      sortBy('userId', direction, 'text', 'e.userId'),
    ],
  });

const lists = { space: membersOn('space'), collection: membersOn('collection'), site: membersOn('site') };

export const listEffectivePermissions = query({
  name: 'listEffectivePermissions',
  description:
    'Lists the members of the organization who have access to a space, collection or site, with their roles on it and the origin of each role. ' +
    'Guests get no disabled members, and FORBIDDEN for members without access and for the order of last activity.',
  input: z.object({ ...targetName, ...filters }),
  authorize: (ctx, ids) => targetFor(ctx, ids, needed),
  async run(ctx, { role: roleFilter, hasAccess, includeDisabled, teamId, search, orderBy, ...name }) {
    const target = await targetFor(ctx, name, needed);
    const { kind, id, organizationId } = target;
    // A team that the caller does not see has no members here, like an absent one.
    const isUnseen = teamId != null && !(await teamsAmong(ctx, target, [teamId])).has(teamId);
    const member = await accessInOrganization(ctx, organizationId);
    const isGuest = member?.role === null;
    if (isGuest && (hasAccess === false || orderBy?.field === 'lastSeenAt'))
      throw forbidden('Guests only see who has access, and not when or whether these are active.');
    return lists[kind](ctx, id, {
      role: roleFilter ?? null,
      hasAccess: hasAccess ?? true,
      includeDisabled: (includeDisabled ?? false) && !isGuest,
      teamId: isUnseen ? '' : (teamId ?? null),
      search: search ? search.toLowerCase() : null,
      // Guests cannot list members, nor their addresses.
      searchesEmails: member !== undefined && !isGuest,
      field: orderBy?.field ?? 'joinedAt',
      direction: orderBy?.direction ?? 'desc',
    });
  },
});
