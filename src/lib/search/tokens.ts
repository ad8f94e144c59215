/** A word, or a run of characters in a script that is written without spaces. */
export interface SearchToken {
  /** In lower case and NFKC, with only letters, digits and their marks. */
  text: string;
  /** Position in the text in UTF-16 code units. */
  start: number;
  end: number;
  /** Whether it is in a script without spaces between words, such as Chinese, Japanese, Korean or Thai. */
  isRun: boolean;
}

/** Maximum length of a word in code points. Longer ones are cut, because they are mostly encoded data or URLs. */
export const MAX_WORD = 40;

const NONE = 0;
const WORD = 1;
const RUN = 2;
/** Belongs to the preceding character. */
const MARK = 3;

const RUN_SCRIPTS =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;

/** Soft hyphens and joiners do not separate words. */
const JOINERS = /[\p{M}\u00ad\u200c\u200d]/u;

/** Whether a token of one kind at a position of a text is left out, before it is made. */
export type IsSkipped = (start: number, end: number, isRun: boolean) => boolean;

/**
 * The words and runs of a text in reading order, without those that `isSkipped`. Pages and queries are tokenized alike.
 */
export function searchTokens(text: string, isSkipped?: IsSkipped): SearchToken[] {
  const tokens: SearchToken[] = [];
  let start = 0;
  let kind = NONE;
  for (let at = 0; at <= text.length; ) {
    const code = text.codePointAt(at) ?? 0;
    const characterClass = classOf(code);
    if (kind !== NONE && characterClass !== kind && characterClass !== MARK) {
      const isRun = kind === RUN;
      if (!isSkipped?.(start, at, isRun)) {
        const token = normalized(text.slice(start, at), isRun);
        if (token !== '') tokens.push({ text: token, start, end: at, isRun });
      }
      kind = NONE;
    }
    if (kind === NONE && (characterClass === WORD || characterClass === RUN)) {
      start = at;
      kind = characterClass;
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

/** The classes of the Basic Multilingual Plane, computed once, since regular expressions are slow. */
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
