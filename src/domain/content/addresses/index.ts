export { findTargets, pathsOfPages } from './find-targets.ts';
export type { LinkBase } from './link-base.ts';
