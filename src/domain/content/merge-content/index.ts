export { conflictsError } from './conflicts-error.ts';
export { findConflicts } from './find-conflicts.ts';
export {
  type ContentMerge,
  type Merge,
  type MergedRevisions,
  mergeContent,
  mergeVersionsOf,
  storeMerge,
} from './merge-content.ts';
