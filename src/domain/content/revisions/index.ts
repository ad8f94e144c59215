export { revisionFor, revisionName, revisionOf } from './access.ts';
export { getRevision } from './get-revision.ts';
export { findInRevision, idInRevision, stableIdOf } from './id-in-revision.ts';
export { listRevisions } from './list-revisions.ts';
export { loadRevision } from './load-revision.ts';
export { revision, revisionFields, revisionUrls } from './resources.ts';
