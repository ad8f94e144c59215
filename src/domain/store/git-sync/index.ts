export type { GitLogEntry, GitPreview, GitPreviewChange, GitProvider, GitReportLine, GitRunStatus } from './entity.ts';
export { GitRun } from './entity.ts';
export { gitDirection } from './enums.ts';
export { type GitBlob, type GitFileRow, type GitSyncRow, gitBlobOf, loadGitSync } from './load.ts';
export { gitBlob, gitSync } from './resources.ts';
