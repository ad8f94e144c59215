export type { RevisionSummary } from './entity.ts';
export { revisionType } from './enums.ts';
export { toBytes, toHex } from './hex-bytes.ts';
export { type Content, contentIn, insertRevision } from './insert-revision.ts';
export type { RevisionRow } from './revision-row.ts';
