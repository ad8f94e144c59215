import { namedEnum } from '../../../platform/shapes/named-enum.ts';

export const memberRoleFilter = namedEnum('MemberRoleFilter', 'A role in an organization, or guests.', {
  admin: 'Members with the role `admin`.',
  create: 'Members with the role `create`.',
  review: 'Members with the role `review`.',
  edit: 'Members with the role `edit`.',
  comment: 'Members with the role `comment`.',
  read: 'Members with the role `read`.',
  guest: 'Guests: members without a role in the organization.',
});

export const memberOrderField = namedEnum('MemberOrderField', 'Field that lists of members are sorted by.', {
  joinedAt: 'Time of joining the organization.',
  displayName: 'Display name of the user, ignoring case.',
  lastSeenAt: 'Time of the last activity. Members who were never active are left out.',
});
