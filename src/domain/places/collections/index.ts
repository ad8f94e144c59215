export { authorizeMove, authorizePlace, authorizePlaceOfIds, collectionFor } from './access.ts';
export { loadCollection } from './load.ts';
export { collection } from './resources.ts';
export { visibleParent } from './visible-parent.ts';
