export { dictionariesFor } from './dictionaries.ts';
export { EarlyEntries } from './early-entries.ts';
export { copyIndex, indexPages } from './index-pages.ts';
export { lexeme, organizationKey, spaceLexeme } from './lexeme.ts';
export { readStems } from './stems.ts';
export { storeWords } from './store-words.ts';
