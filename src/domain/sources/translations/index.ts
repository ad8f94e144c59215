export { translatedPages } from './translated-pages.ts';
