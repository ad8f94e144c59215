import { namedEnum } from '../../../platform/named-enum.ts';

export const accessLevel = namedEnum('AccessLevel', 'A resource that defines access to content, or the organization.', {
  space: 'The space itself.',
  site: 'A site that shows the space, or the site itself.',
  collection: 'A collection that contains the space or collection, or the collection itself.',
  organization: 'The organization, with the role of the member in it.',
});

export const accessSource = namedEnum('AccessSource', 'Where a role on content comes from.', {
  'organization-admin': 'You are an admin of the organization, and therefore of all its content.',
  grant: 'The role was granted to you.',
  'team-grant': 'The role was granted to one of your teams.',
  'default-level': 'The default level of the resource for members of the organization.',
  'organization-role': 'Your role in the organization.',
  'published-site': 'You have no role. A published site shows the space to you.',
  none: 'You have no access.',
});

export const granteeKind = namedEnum('GranteeKind', 'Who a role is granted to.', {
  user: 'A single member of the organization.',
  team: 'All members of a team.',
});
