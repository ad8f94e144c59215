export { findTargets, pathsOfPages } from './find-targets.ts';
export type { TextPlace } from './text-place.ts';
