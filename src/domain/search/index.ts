export type { SearchedSpace, SearchScope } from './find-pages.ts';
export { copyIndex, indexPages } from './index-pages.ts';
export { presentSpaceResult, spaceResultShape } from './present.ts';
export { searchText } from './search-text.ts';
export { type SearchedSpaceResult, searchedSpaces } from './searched-spaces.ts';
