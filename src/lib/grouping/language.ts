import { loadWhenUsed } from '../load-when-used.ts';

/** Languages that are told apart, by ISO 639-3, with their codes of ISO 639-1. */
const LANGUAGES: Record<string, string> = {
  eng: 'en',
  fra: 'fr',
  deu: 'de',
  spa: 'es',
  ita: 'it',
  por: 'pt',
  nld: 'nl',
  swe: 'sv',
  hun: 'hu',
  ron: 'ro',
  tur: 'tr',
  ind: 'id',
  pol: 'pl',
  ces: 'cs',
  vie: 'vi',
  rus: 'ru',
  ukr: 'uk',
  bul: 'bg',
  arb: 'ar',
  hin: 'hi',
  cmn: 'zh',
  jpn: 'ja',
  kor: 'ko',
  tha: 'th',
  ell: 'el',
};

const detector = loadWhenUsed<typeof import('franc-min')>('franc-min');

const only = Object.keys(LANGUAGES);

/** Characters that decide. */
const MAX_READ = 500;

/** Languages that short texts in their script are in, unless another language fits this much better. */
const USUAL = ['eng', 'rus'];
const MIN_FIT_MARGIN = 0.06;

/** The language of a text as an ISO 639-1 code, or null for text that is too short. */
export function languageOf(text: string): string | null {
  const ranked = detector().francAll(text.slice(0, MAX_READ), { only, minLength: 12 });
  const [best] = ranked;
  if (best === undefined || best[0] === 'und') return null;
  const usual = ranked.find(([code, fit]) => USUAL.includes(code) && best[1] - fit < MIN_FIT_MARGIN);
  return LANGUAGES[(usual ?? best)[0]] ?? null;
}
