export { findPagesByWords, type PageWithWords } from './find-pages-by-words.ts';
export { rankedList } from './ranked-list.ts';
export { viewableSpacesOf } from './viewable-spaces.ts';
