export { scopeOf, type Variables } from './scope.ts';
export { specOfSource } from './spec-of-source.ts';
export { type GivenContent, isHiddenSpec, rejectHiddenSpecs, rejectHiddenSpecsIn, specsIn } from './usable-specs.ts';
export { visibleBody } from './visible-body.ts';
export { type VisibleContent, visibleContent } from './visible-content.ts';
export { readVisibleFiles, visibleFilesIn, visibleFilesOf } from './visible-files.ts';
export {
  readVisibleContents,
  visibleContentsIn,
  visibleContentsOf,
} from './visible-reusable-contents.ts';
export { visibleTagsOf } from './visible-tags.ts';
export { visibleVariablesOf } from './visible-variables.ts';
