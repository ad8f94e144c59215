const LATIN = 'Latin';

/** Languages with their script and the stemmer of PostgreSQL, if there is one. */
const LANGUAGES: Record<string, readonly [script: string, dictionary: string | null]> = {
  en: [LATIN, 'english_stem'],
  fr: [LATIN, 'french_stem'],
  de: [LATIN, 'german_stem'],
  es: [LATIN, 'spanish_stem'],
  it: [LATIN, 'italian_stem'],
  pt: [LATIN, 'portuguese_stem'],
  'pt-br': [LATIN, 'portuguese_stem'],
  nl: [LATIN, 'dutch_stem'],
  sv: [LATIN, 'swedish_stem'],
  no: [LATIN, 'norwegian_stem'],
  da: [LATIN, 'danish_stem'],
  fi: [LATIN, 'finnish_stem'],
  hu: [LATIN, 'hungarian_stem'],
  ro: [LATIN, 'romanian_stem'],
  tr: [LATIN, 'turkish_stem'],
  id: [LATIN, 'indonesian_stem'],
  ms: [LATIN, null],
  lt: [LATIN, 'lithuanian_stem'],
  pl: [LATIN, null],
  cs: [LATIN, null],
  sk: [LATIN, null],
  hr: [LATIN, null],
  lv: [LATIN, null],
  et: [LATIN, null],
  sl: [LATIN, null],
  vi: [LATIN, null],
  ru: ['Cyrillic', 'russian_stem'],
  uk: ['Cyrillic', null],
  bg: ['Cyrillic', null],
  el: ['Greek', 'greek_stem'],
  ar: ['Arabic', 'arabic_stem'],
  hi: ['Devanagari', 'hindi_stem'],
};

/** Scripts, and the stemmer for their words in spaces with no language or a language in another script. */
const SCRIPTS: readonly [script: string, pattern: RegExp, dictionary: string][] = [
  [LATIN, /^\p{scx=Latin}/u, 'english_stem'],
  ['Cyrillic', /^\p{scx=Cyrillic}/u, 'russian_stem'],
  ['Greek', /^\p{scx=Greek}/u, 'greek_stem'],
  ['Arabic', /^\p{scx=Arabic}/u, 'arabic_stem'],
  ['Devanagari', /^\p{scx=Devanagari}/u, 'hindi_stem'],
];

/** The stemmers for a word in spaces of these languages. */
export function dictionariesFor(word: string, languages: readonly (string | null)[]): string[] {
  const [script, , usual] = SCRIPTS.find(([, pattern]) => pattern.test(word)) ?? [];
  if (usual === undefined) return [];
  const dictionaries = languages.map((language) => {
    const entry = LANGUAGES[language ?? ''];
    return entry?.[0] === script ? entry?.[1] : usual;
  });
  return [...new Set(dictionaries)].filter((dictionary) => dictionary != null).toSorted();
}
