export { expressionScope, type Variables } from './expression-scope.ts';
export { specOfSource } from './load-used-content.ts';
export { type GivenContent, isHiddenSpec, rejectHiddenSpecs, rejectHiddenSpecsIn, specsIn } from './usable-specs.ts';
export { visibleBody } from './visible-body.ts';
export { type VisibleContent, visibleContent } from './visible-content.ts';
export {
  readVisibleContents,
  readVisibleFiles,
  visibleContentsIn,
  visibleContentsOf,
  visibleFilesIn,
  visibleFilesOf,
  visibleTagsOf,
  visibleVariablesOf,
} from './visible-manifests.ts';
