export { type ContentChange, contentChanges } from './content-changes.ts';
export type { AppliedChange } from './edit-pages.ts';
export { childPages, type PageView, topPages, viewOf } from './page-view.ts';
export { presentPage } from './present.ts';
export { contentBody } from './rest-body.ts';
export { changesFromRest, presentChange } from './rest-changes.ts';
export { appliedChanges, pageShape } from './shapes.ts';
export { writePages } from './write-pages.ts';
