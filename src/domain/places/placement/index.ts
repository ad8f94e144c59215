export { moveItem, parentOfMove, rejectNoMove, replaceByContent } from './move.ts';
export { parentOf, readParentUncached } from './parent-of.ts';
export { holdPlace, lockPlace, type Place, placeItem, type SiblingPosition, siblingPosition } from './place.ts';
export { moveFromRest, restMove } from './rest-position.ts';
