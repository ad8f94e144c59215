export { parentNow, parentOf } from './parent-of.ts';
export { holdPlace, lockPlace, type Place, placeItem, type SiblingPosition, siblingPosition } from './place.ts';
