export { dryRun } from './dry-run-input.ts';
export {
  brokenLinks,
  type ContentPreview,
  changesBesidesPages,
  differingPages,
  NO_CHANGES,
  type PagePreview,
  previewChanges,
  previewPages,
} from './preview.ts';
export { contentPreview } from './resources.ts';
