import { namedEnum } from '../../../platform/shapes/named-enum.ts';

export const role = namedEnum(
  'Role',
  'Role of a member in an organization or on content. From lowest to highest: read, comment, edit, review, create, admin. Each role includes the lower ones. Guests have no role in the organization.',
  {
    admin: 'Can administer content and its settings, and create and delete content.',
    create: 'Can create spaces and collections.',
    review: 'Can review and merge change requests.',
    edit: 'Can edit content, directly or through change requests.',
    comment: 'Can read content and comment.',
    read: 'Can read content.',
  },
);

/** The default level of a space, collection or site. REST returns `none` as null. Tables store `inherit` as null. */
export const contentLevel = namedEnum(
  'ContentLevel',
  'Default access of organization members to content. Roles that are granted to a member or a team replace it. Admins of the organization always have full access.',
  {
    admin: 'Members can administer the content and its settings.',
    create: 'Members can create spaces and collections.',
    review: 'Members can review and merge change requests.',
    edit: 'Members can edit content, directly or through change requests.',
    comment: 'Members can read and comment.',
    read: 'Members can only read.',
    inherit:
      'Inherited from the first that defines access: the sites of the space, the parent collections from the nearest to the top level, or the role in the organization.',
    none: 'Members have no access.',
  },
);
