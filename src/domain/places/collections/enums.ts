import { namedEnum } from '../../../platform/shapes/named-enum.ts';

export const collectionOrderField = namedEnum(
  'CollectionOrderField',
  'Field that lists of collections are sorted by.',
  {
    title: 'The title, ignoring case.',
    createdAt: 'Time of creation.',
    updatedAt: 'Time of the last change of the collection itself.',
  },
);
