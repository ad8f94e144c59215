export { languagesOfSpaces } from './space-languages.ts';
export { translatedPages } from './translated-pages.ts';
export { translatedSpaces } from './translated-spaces.ts';
