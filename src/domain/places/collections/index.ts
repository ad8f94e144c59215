export { authorizePlace, authorizePlaceOfIds, collectionFor } from './access.ts';
export { loadCollection } from './load.ts';
export { collectionShape, presentCollection, visibleParent } from './present.ts';
