export { translatedPages } from './translated-pages.ts';
export { translatedSpaces } from './translated-spaces.ts';
