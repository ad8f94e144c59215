import { francAll } from 'franc-min';

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

const only = Object.keys(LANGUAGES);

/** Characters that decide. */
const MAX_READ = 500;

/** Short texts in Latin letters are English unless another language fits this much better. */
const MARGIN = 0.06;

/** The language of a text as an ISO 639-1 code, or null for text that is too short. */
export function languageOf(text: string): string | null {
  const ranked = francAll(text.slice(0, MAX_READ), { only, minLength: 12 });
  const [best] = ranked;
  if (best === undefined || best[0] === 'und') return null;
  const english = ranked.find(([code]) => code === 'eng');
  const isEnglish = english !== undefined && best[1] - english[1] < MARGIN;
  return LANGUAGES[isEnglish ? 'eng' : best[0]] ?? null;
}
