export { parentNow, parentOf } from './parent-of.ts';
export { lockPlace, type Place, placeItem, type SiblingPosition, siblingPosition } from './place.ts';
