export { loadSpace, type SpaceRow, spaceFor } from './access.ts';
export { openCommentsOfSpace } from './counts.ts';
export { getSpace } from './get-space.ts';
export { space } from './resources.ts';
