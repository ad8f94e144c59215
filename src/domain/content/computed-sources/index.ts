export { type BlockSource, registerBlockSource, sectionsOfBlocks, showSources } from './block-sources.ts';
export {
  type Computed,
  type ComputedPage,
  type ComputedSourceKind,
  computeDocument,
  kindOfSource,
  registerComputedSource,
  type SourceSearch,
  type SourceSection,
  seedOfSource,
} from './computed-sources.ts';
export { computedState } from './computed-state.ts';
export { computedPageIds, expandPages, expandRoot, expandSource, type ReadRevision } from './expand-pages.ts';
export { type FoundPage, findReadPage, findReadPages } from './find-computed-page.ts';
export { sourceSeenBy } from './source-seen-by.ts';
