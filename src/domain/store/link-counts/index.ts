export { addLinks, countLinksAround } from './count-links.ts';
export { hasAnchor, hasHost, LOOKUP } from './lookup.ts';
export { referencesOf } from './references-of.ts';
