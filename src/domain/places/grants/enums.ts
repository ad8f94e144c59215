import { namedEnum } from '../../../platform/shapes/named-enum.ts';

export const accessLevel = namedEnum('AccessLevel', 'A resource that defines access to content, or the organization.', {
  space: 'The space itself.',
  site: 'A site that shows the space, or the site itself.',
  collection: 'A collection that contains the space or collection, or the collection itself.',
  organization: 'The organization, with the role of the member in it.',
});

export const accessSource = namedEnum('AccessSource', 'Origin of a role on content.', {
  'organization-admin': 'Admins of the organization are admins of all its content.',
  grant: 'The role was granted to the user.',
  'team-grant': 'The role was granted to a team of the user.',
  'default-level': 'The default level of the resource for members of the organization.',
  'organization-role': 'The role of the user in the organization.',
  'published-site': 'The user has no role. A published site shows the space to the user.',
  none: 'The user has no access.',
});

export const granteeKind = namedEnum('GranteeKind', 'Kind of grantee of a role.', {
  user: 'A single member of the organization.',
  team: 'All members of a team.',
});

export const effectiveOrderField = namedEnum(
  'EffectivePermissionOrderField',
  'Field that lists of members with access are sorted by.',
  {
    joinedAt: 'Time of joining the organization.',
    lastSeenAt: 'Time of the last activity. Members who were never active are left out.',
    name: 'Display name, ignoring case.',
  },
);
