export { countLinksAround } from './count-links.ts';
export { hasAnchor, hasHost, OPTIMIZATION_FENCE } from './link-conditions.ts';
export { pagesWithOtherAnchors } from './pages-with-other-anchors.ts';
export { storedReferences } from './stored-references.ts';
