export { authorizeLeaving, authorizeMove, authorizePlace, authorizePlaceOfIds, collectionFor } from './access.ts';
export { loadCollection } from './load.ts';
export { subtreeOf } from './nesting.ts';
export { collection } from './resources.ts';
export { loadVisibleParentIds, visibleParent, visibleParentId } from './visible-parent.ts';
