export type { RevisionSummary } from './entity.ts';
export { revisionType } from './enums.ts';
export { type Content, contentIn, insertRevision } from './insert-revision.ts';
export { type RevisionRow, toBytes, toHex } from './revision-row.ts';
