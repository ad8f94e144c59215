export { findTargets, pathsOfPages, type TextPlace } from './find-targets.ts';
