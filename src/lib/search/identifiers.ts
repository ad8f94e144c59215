import { fold } from './fold.ts';
import { versionNumber } from './terms.ts';
import { MAX_WORD, type SearchToken } from './tokens.ts';

/** Longer chains are mostly addresses and paths. */
const MAX_WORDS = 6;
const MAX_LENGTH = 64;

/** Characters that join words to a name: `short_question`, `--plugin-load`, `a.b.c`, `Module::name`. */
const JOINED = /^(?:[_.:/$@-]|::|->)$/;

/** A name as one term: its words, folded and joined by underscores. */
export interface Identifier {
  term: string;
  /** Two words as one, which many write without the dot or hyphen: `nodejs` for `node.js`, `email` for `e-mail`. */
  joined?: string;
  /** Indexes of its first word and of the word after its last one among the tokens. */
  from: number;
  to: number;
}

/**
 * The names in a text that consist of several joined words, and the options of commands (`--quiet`) with their hyphens.
 * Joining characters are equal: `a-b` is `a_b`. Versions are without their `v`. An option of several words is both.
 */
export function identifiersOf(tokens: readonly SearchToken[], text: string): Identifier[] {
  const terms: Identifier[] = [];
  for (let from = 0; from < tokens.length; ) {
    let to = from + 1;
    while (to < tokens.length && isJoined(tokens[to - 1], tokens[to], text)) to++;
    const words = tokens
      .slice(from, Math.min(to, from + MAX_WORDS + 1))
      .map((token) => versionNumber(token.text) ?? fold(token.text));
    const term = words.join('_');
    if (to - from <= MAX_WORDS && term.length <= MAX_LENGTH) {
      if (to - from > 1) terms.push({ term, from, to, ...joinedName(tokens[from], tokens[from + 1], to - from, text) });
      if (isOption(tokens[from], text)) terms.push({ term: `--${term}`, from, to });
    }
    from = to;
  }
  return terms;
}

function joinedName(first: SearchToken | undefined, second: SearchToken | undefined, length: number, text: string) {
  if (length !== 2 || !first || !second || !/^[.-]$/.test(text.slice(first.end, second.start))) return {};
  const joined = fold(first.text) + fold(second.text);
  return joined.length <= MAX_WORD && /^\p{L}+$/u.test(joined) ? { joined } : {};
}

const isOption = (token: SearchToken | undefined, text: string): boolean =>
  token !== undefined &&
  !token.isRun &&
  /(?:^|[^-\p{L}\p{N}])--$/u.test(text.slice(Math.max(0, token.start - 3), token.start));

const isJoined = (before: SearchToken | undefined, after: SearchToken | undefined, text: string): boolean =>
  before !== undefined &&
  after !== undefined &&
  !before.isRun &&
  !after.isRun &&
  after.start - before.end <= 2 &&
  JOINED.test(text.slice(before.end, after.start));
