export { addLinks, countLinksAround } from './count-links.ts';
export { hasAnchor, hasHost, OPTIMIZATION_FENCE } from './link-conditions.ts';
export { referencesOf } from './references-of.ts';
