export { dryRun } from './dry-run-input.ts';
export {
  brokenLinks,
  type ContentPreview,
  changedPages,
  changesBesidesPages,
  NO_CHANGES,
  type PagePreview,
  previewOf,
  previewPages,
} from './preview.ts';
export { contentPreview } from './resources.ts';
