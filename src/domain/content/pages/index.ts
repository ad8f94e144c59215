export { type ComputedSource, computedSource } from './computed-source.ts';
export { layoutOf } from './layout.ts';
export { linkTarget, pageCover, pageLayout, pageMetaLinks, pageVariables } from './page-fields.ts';
export { pageAtPath, pageInHead } from './page-in-head.ts';
export { type PageView, topPages, viewOf, viewOfFound } from './page-view.ts';
export { bodyOf, presentPage, presentPages } from './present.ts';
export { pageShape } from './shapes.ts';
