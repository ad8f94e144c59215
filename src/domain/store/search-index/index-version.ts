/** Version of the rules that turn text into terms. When it increases, `tidySearchIndex` indexes all pages again. */
export const INDEX_VERSION = 3;
