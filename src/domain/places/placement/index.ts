export { parentOf, readParentUncached } from '../../people/access/index.ts';
export { moveItem, parentOfMove, rejectNoMove, replaceByContent } from './move.ts';
export { type ItemParent, lockPlace, placeItem, type SiblingPosition, siblingPosition, tryLockPlace } from './place.ts';
export { moveFromRest, restMove } from './position-from-rest.ts';
