export { findPagesByWords, type PageWithWords } from './find-pages-by-words.ts';
export { rankedList } from './ranked-list.ts';
export { spaceResult } from './resources.ts';
export type { TitledScope } from './scope.ts';
export { searchText } from './search-text.ts';
export { searchedSpaces } from './searched-spaces.ts';
export { viewableSpacesOf } from './viewable-spaces.ts';
