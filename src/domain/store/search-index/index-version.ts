/** Of the rules by which text becomes terms. Raising it makes `tidySearchIndex` index everything anew. */
export const INDEX_VERSION = 1;
