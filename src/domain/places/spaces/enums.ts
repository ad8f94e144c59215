import { namedEnum } from '../../../platform/shapes/named-enum.ts';

export const editMode = namedEnum('SpaceEditMode', 'Whether the primary content can be edited directly.', {
  live: 'Members can edit the primary content directly.',
  locked: 'The primary content can only be changed through change requests and Git synchronization.',
});

export const spaceOrderField = namedEnum('SpaceOrderField', 'Field that lists of spaces are sorted by.', {
  title: 'The title, ignoring case.',
  createdAt: 'Time of creation.',
  updatedAt: 'Time of the last change of the space or of its primary content.',
});

export const contentVisibility = namedEnum(
  'ContentVisibility',
  'Who can read a space. Derived from the site that publishes it, otherwise from the collection that contains it.',
  {
    public: 'Anyone. Search engines can index the content.',
    unlisted: 'Anyone who knows the URL. Search engines are asked not to index the content.',
    'share-link': 'Anyone with a share link. Its URL contains a secret key.',
    'visitor-auth': 'Visitors who are authenticated by a JWT of the site.',
    'in-collection': 'Anyone who can see the parent collection.',
    private: 'Members with a role on the space.',
  },
);
