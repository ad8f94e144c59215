import { namedEnum } from '../../../platform/named-enum.ts';

export const role = namedEnum('Role', 'Role of a member. Each role includes the ones below it. Guests have no role.', {
  admin: 'Can administer content and its settings, and create and delete content.',
  create: 'Can create content.',
  review: 'Can review and merge change requests.',
  edit: 'Can edit content, directly or through change requests.',
  comment: 'Can read content and comment.',
  read: 'Can read content.',
});

/** The default level of a space, collection or site. REST returns `none` as null. Tables store `inherit` as null. */
export const contentLevel = namedEnum(
  'ContentLevel',
  'Access of members to content, unless other access was granted.',
  {
    admin: 'Members can administer the content and its settings.',
    create: 'Members can create content.',
    review: 'Members can review and merge change requests.',
    edit: 'Members can edit content, directly or through change requests.',
    comment: 'Members can read and comment.',
    read: 'Members can only read.',
    inherit:
      'Inherited from the level above: the site, the parent collections from the inside out, or the role in the organization.',
    none: 'Members have no access.',
  },
);
