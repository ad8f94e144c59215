import type { Context } from '../../../platform/context/context.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { role } from '../access/index.ts';
import { emailOf, loadUser, user } from '../users/index.ts';
import { memberCounts } from './counts.ts';
import type { ListedMember } from './load.ts';

/** A member. In REST its id is the id of the user; in the graph the membership has an id of its own. */
export const member = resource<ListedMember>(
  {
    name: 'Member',
    object: 'member',
    description:
      'A member of an organization. Guests see only the user, the role, `disabled` and `joinedAt` of other members who comment: other fields are null, false, 0 or empty. Members whom an admin has added agree to the membership by joining or being active, see `inviteMembers`.',
  },
  (f) => ({
    userId: f.id('user')('ID of the user. REST uses it as the ID of the member.', (row) => row.userId, { rest: 'id' }),
    user: f
      .object(() => user)
      .optional('User who is the member. Null if the account no longer exists.', (row, ctx) =>
        loadUser(ctx, row.userId),
      ),
    email: f.email.optional(
      'Email address in this organization: from its identity provider or its invitation, otherwise the address of the user.',
      ({ email, userId, hidesDetails }, ctx) => (hidesDetails ? null : (email ?? emailOf(ctx, userId))),
    ),
    role: f.enum(role).nullable(
      'Role in the organization. Null for guests. Guests only see content that is shared with them.',
      // A membership never has the role `none`.
      (row) => (row.role === 'none' ? null : row.role),
    ),
    disabled: f.boolean('Whether the member is disabled and has no access.', ({ isDisabled }) => isDisabled),
    sso: f.boolean('Whether the member signs in with SSO.', ({ isSso, hidesDetails }) => isSso && !hidesDetails),
    breakGlass: f.boolean(
      'Whether an operator of the service has exempted the member from SSO for as long as the member is an admin.',
      ({ isBreakGlass, hidesDetails }) => isBreakGlass && !hidesDetails,
    ),
    roleOfProvider: f.boolean(
      'Whether an identity provider gave the role. Such a role applies only to sign-ins with that provider.',
      ({ role: memberRole, roleProviderId, hidesDetails }) =>
        memberRole !== null && roleProviderId !== null && !hidesDetails,
    ),
    joinedAt: f.time('Time when the member joined.', ({ joinedAt }) => joinedAt),
    lastSeenAt: f.time.optional(
      'Time when the member was last active. Null if unknown.',
      ({ lastSeenAt, hidesDetails }) => (hidesDetails ? null : lastSeenAt),
    ),
    spaces: f.count('Number of spaces that the member can read.', counted('spaces'), { graph: 'spacesCount' }),
    sites: f.count('Number of sites that the member can read.', counted('sites'), { graph: 'sitesCount' }),
    teams: f.count('Number of teams that the member belongs to.', counted('teams'), { graph: 'teamsCount' }),
  }),
);

function counted(name: 'spaces' | 'sites' | 'teams') {
  return async ({ id, hidesDetails }: ListedMember, ctx: Context) =>
    hidesDetails ? 0 : ((await memberCounts(ctx, id))?.[name] ?? 0);
}
