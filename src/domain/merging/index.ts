export { type ContentMerge, type Merge, type MergedRevisions, mergeContent } from './merge-content.ts';
export { storeMerge } from './store-merge.ts';
