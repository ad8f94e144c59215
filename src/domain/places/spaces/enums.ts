import { namedEnum } from '../../../platform/named-enum.ts';

export const editMode = namedEnum('SpaceEditMode', 'Whether the primary content may be edited directly.', {
  live: 'Members may edit the primary content directly.',
  locked: 'The primary content changes through change requests and git synchronization only.',
});

export const contentVisibility = namedEnum('ContentVisibility', 'Who may read a space. Derived, never set.', {
  public: 'Anyone; search engines may index it.',
  unlisted: 'Anyone who has the address; search engines are asked not to index it.',
  'share-link': 'Anyone with a secret key in the address.',
  'visitor-auth': 'Anyone whom a JWT of the site authenticates.',
  'in-collection': 'Anyone who may see the parent collection.',
  private: 'Members with a role on it.',
});
