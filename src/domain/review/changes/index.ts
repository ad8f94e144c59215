export { listChangeRequestChanges, revisionsOfChanges } from './list-change-request-changes.ts';
