export { type BlockSource, registerBlockSource, showSources } from './block-sources.ts';
export { computeDocument } from './compute-document.ts';
export {
  type Computed,
  type ComputedPage,
  type ComputedSourceKind,
  kindOfSource,
  registerComputedSource,
  type SourceOf,
} from './computed-sources.ts';
export { computedState } from './computed-state.ts';
export { expandPages, expandSource, type ReadRevision } from './expand-pages.ts';
export { type FoundPage, findReadPage } from './find-computed-page.ts';
