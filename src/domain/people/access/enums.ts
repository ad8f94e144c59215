import { namedEnum } from '../../../platform/named-enum.ts';

export const role = namedEnum('Role', 'What a member may do. Each role includes those below it; a guest has none.', {
  admin: 'Administers content and its settings, creates and deletes.',
  create: 'Creates content.',
  review: 'Reviews and merges change requests.',
  edit: 'Edits live content, or through change requests.',
  comment: 'Reads content and takes part in discussions.',
  read: 'Reads content.',
});

/**
 * The default level of a space, collection or site as callers see it. REST writes `none` as null;
 * tables keep `inherit` as null.
 */
export const contentLevel = namedEnum('ContentLevel', 'What members may do with content that nothing was granted on.', {
  admin: 'Administer it and its settings.',
  create: 'Create content.',
  review: 'Review and merge change requests.',
  edit: 'Edit live content, or through change requests.',
  comment: 'Read, and take part in discussions.',
  read: 'May read, and nothing else.',
  inherit: 'Whatever the level above says: a site, the collections outwards, and at last the role in the organization.',
  none: 'Nothing.',
});
