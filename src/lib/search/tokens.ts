/** A word of a text, or a run of characters of a script that is written without spaces. */
export interface Token {
  /** Lower case, compatibility forms resolved (NFKC), and nothing but letters, digits and their marks. */
  text: string;
  /** Where it stands in the text, in UTF-16 code units. */
  start: number;
  end: number;
  /** Words are not set apart here: Chinese, Japanese, Korean, Thai and the like. */
  isRun: boolean;
}

/** Code points of a word that count; what is longer is hardly a word (encoded bytes, addresses). */
export const MAX_WORD = 40;

const NONE = 0;
const WORD = 1;
const RUN = 2;
/** Belongs to whatever stands before it. */
const MARK = 3;

const RUN_SCRIPTS =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;

/** Soft hyphens and joiners are inside of words without being part of them. */
const JOINERS = /[\p{M}\u00ad\u200c\u200d]/u;

/** The words and runs of a text in reading order: the same for what is stored and for what is asked. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let start = 0;
  let kind = NONE;
  for (let at = 0; at <= text.length; ) {
    const code = text.codePointAt(at) ?? 0;
    const found = classOf(code);
    if (kind !== NONE && found !== kind && found !== MARK) {
      const token = normalized(text.slice(start, at), kind === RUN);
      if (token !== '') tokens.push({ text: token, start, end: at, isRun: kind === RUN });
      kind = NONE;
    }
    if (kind === NONE && (found === WORD || found === RUN)) {
      start = at;
      kind = found;
    }
    at += code > 0xffff ? 2 : 1;
  }
  return tokens;
}

function normalized(raw: string, isRun: boolean): string {
  if (/^[A-Za-z0-9]*$/.test(raw)) return raw.slice(0, MAX_WORD).toLowerCase();
  const text = raw
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
  return isRun || text.length <= MAX_WORD ? text : [...text].slice(0, MAX_WORD).join('');
}

/** Patterns are slow, texts are long: the classes of the basic plane are worked out once. */
let basicPlane: Uint8Array | undefined;

function classOf(code: number): number {
  if (code > 0xffff) return classify(String.fromCodePoint(code));
  basicPlane ??= Uint8Array.from({ length: 0x10000 }, (_, each) => classify(String.fromCharCode(each)));
  return basicPlane[code] ?? NONE;
}

function classify(character: string): number {
  if (JOINERS.test(character)) return MARK;
  if (!/[\p{L}\p{N}]/u.test(character)) return NONE;
  return RUN_SCRIPTS.test(character) ? RUN : WORD;
}
