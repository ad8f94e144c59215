export { hasRoleOnSpace, loadSpace, loadSpaceWithRole, type SpaceRow, spaceFor } from './access.ts';
export { copySpace, placeOfCopy } from './copy-space.ts';
export { openCommentsOfSpace } from './counts.ts';
export { duplicateSpace } from './duplicate-space.ts';
export { getSpace } from './get-space.ts';
export { type TranslationLanguage, translationLanguage } from './language.ts';
export { type PublishedUrls, registerPublishedUrls } from './published-urls.ts';
export { preloadSpaces, space } from './resources.ts';
export { subscribeToSpace } from './subscribe-to-space.ts';
