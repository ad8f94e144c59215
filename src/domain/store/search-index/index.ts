export { dictionariesFor } from './dictionaries.ts';
export { EarlyEntryWriter } from './early-entry-writer.ts';
export { copyIndex, indexPages } from './index-pages.ts';
export { lexeme, organizationKey, spaceLexeme } from './lexeme.ts';
export { readStems } from './stems.ts';
export { storeWords } from './store-words.ts';
