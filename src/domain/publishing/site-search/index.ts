export { searchedOnSite } from './search-site-content.ts';
