export { pagesWithOtherAnchors } from './changed-anchors.ts';
export { addLinks, countLinksAround } from './count-links.ts';
export { hasAnchor, hasHost, OPTIMIZATION_FENCE } from './link-conditions.ts';
export { storedReferences } from './stored-references.ts';
