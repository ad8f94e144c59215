const segmenters = new Map<string, Intl.Segmenter>();

/** Text up to this length is cut into sentences. What follows is one sentence. */
const MAX_LENGTH = 200_000;

/** The positions in a text at which a sentence ends and another begins, by the rules of its language (UAX 29). */
export function sentenceEnds(value: string, language: string): ReadonlySet<number> {
  const ends = new Set<number>();
  for (const { index } of segmenterFor(language).segment(value.slice(0, MAX_LENGTH))) if (index > 0) ends.add(index);
  return ends;
}

function segmenterFor(language: string): Intl.Segmenter {
  const cached = segmenters.get(language);
  if (cached) return cached;
  const segmenter = new Intl.Segmenter(language, { granularity: 'sentence' });
  segmenters.set(language, segmenter);
  return segmenter;
}

/** Languages that are written without spaces between sentences. */
const UNSPACED = new Set(['ja', 'zh', 'zh-tw', 'yue', 'th']);

/** Whitespace between two sentences in another language. Line breaks stay. */
export function sentenceSpace(space: string, from: string, to: string): string {
  if (UNSPACED.has(from) === UNSPACED.has(to)) return space;
  if (UNSPACED.has(to)) return space === ' ' ? '' : space;
  return space === '' ? ' ' : space;
}
