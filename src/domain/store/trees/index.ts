export { selectChangedPageIds } from './changed-pages.ts';
export { compareWithHead, type HeadDifference } from './compare-with-head.ts';
export { type ComputedRoot, computedRoots } from './computed-pages.ts';
export type { PageName } from './find-page.ts';
export { type FormerPath, pageIdAtPath, rememberPaths } from './former-paths.ts';
export { headPaths, projectOntoHead } from './head.ts';
export { type HiddenPages, hasConditions, hiddenPages } from './hidden-pages.ts';
export { loadTree as loadWholeTree } from './load-tree.ts';
export { nodeLoader, nodeSource, writeNodes } from './node-source.ts';
export { type PageVersions, versionsOfPage } from './page-versions.ts';
export { titlesAbove } from './titles-above.ts';
export {
  findVisiblePage,
  loadVisibleBelow,
  loadVisibleSubtrees,
  loadVisibleTree,
  pathToVisiblePage,
  visibleComputedPages,
  visibleReadingOrder,
} from './visible-pages.ts';
