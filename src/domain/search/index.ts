export { copyIndex, indexPages } from './index-pages.ts';
