export { addLinks, countLinksAround } from './count-links.ts';
export { hasAnchor, LOOKUP } from './lookup.ts';
export { referencesOf } from './references-of.ts';
