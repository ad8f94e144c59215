export { type BesideHead, besideHead } from './beside-head.ts';
export { computedPages } from './computed-pages.ts';
export { findPage, type PageName } from './find-page.ts';
export { headPaths, projectOntoHead } from './head.ts';
export { loadBelow, loadTree } from './load-tree.ts';
export { nodeLoader, nodeSource, writeNodes } from './node-source.ts';
export { type FormerPath, pageIdAtPath, rememberPaths } from './old-path.ts';
export { readingOrder } from './reading-order.ts';
export { wayTo } from './way-to.ts';
