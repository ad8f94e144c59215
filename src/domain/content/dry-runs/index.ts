export { dryRun } from './dry-run-input.ts';
export { brokenLinks, type ContentPreview, comparePages, previewOf } from './preview.ts';
export { contentPreview } from './resources.ts';
