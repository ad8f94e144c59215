import { loadWhenUsed } from '../load-when-used.ts';
import { trimOf } from '../trim-characters.ts';
import { withEmojiNames } from './emoji.ts';

/** The anchor of a title before it is made unique. */
export type AnchorRule = (title: string) => string;

/**
 * The anchor that GitBook gives to a title: ASCII letters and digits in lower case, `.`, `_` and `+`, with hyphens for
 * everything between them, and `id-` before a digit. Letters of other scripts are transliterated, Chinese to pinyin.
 */
export function anchorOf(title: string): string {
  const anchor = plainAnchorOf(title);
  return /^\d/.test(anchor) ? `id-${anchor}` : anchor;
}

const plainAnchorOf: AnchorRule = (title) => joined(title, /[^a-z\d._+]+/g);

/** The rule of GitBook's earlier editors, which dots end up as hyphens in. */
const earlierAnchorOf: AnchorRule = (title) => joined(title, /[^a-z\d_]+/g);

/** The rule of GitHub, which this service had first: letters of any script, digits, `_` and `-`. */
function githubAnchorOf(title: string): string {
  const anchor = title
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
  return anchor || 'section';
}

/** The same with the names of emoji (`:rocket:`), and without the invisible selectors that GitHub keeps of others. */
const namedAnchorOf: AnchorRule = (title) => githubAnchorOf(withEmojiNames(title));
const visibleAnchorOf: AnchorRule = (title) => githubAnchorOf(title.replace(/\ufe0f/g, ''));

/** The rule of GitLab and of most site generators: GitHub's, with single hyphens and none at the ends. */
const singleHyphensAnchorOf: AnchorRule = (title) =>
  trimOf(
    githubAnchorOf(title)
      .replace(/\ufe0f/g, '')
      .replace(/-+/g, '-'),
    '-',
  ) || 'section';

/** The rule of kramdown, which static sites use: without underscores, and from the first letter on. */
function kramdownAnchorOf(title: string): string {
  const anchor = githubAnchorOf(title).replaceAll('_', '');
  const first = anchor.search(/\p{L}/u);
  return first < 0 ? 'section' : anchor.slice(first);
}

/** The rules that links may follow, the present one first. */
export const anchorRules: readonly AnchorRule[] = [
  anchorOf,
  plainAnchorOf,
  earlierAnchorOf,
  githubAnchorOf,
  namedAnchorOf,
  visibleAnchorOf,
  singleHyphensAnchorOf,
  kramdownAnchorOf,
];

const signs: ReadonlyMap<string, string> = new Map([
  ['&', ' and '],
  ['<', ' less than '],
  ['>', ' greater than '],
]);

function joined(title: string, between: RegExp): string {
  const spoken = title.replace(/[&<>]/g, (sign) => signs.get(sign) ?? sign).replace(/['\u2019]/g, '');
  const words = trimOf(inAscii(spoken).toLowerCase().replace(between, '-'), '-');
  return words || 'section';
}

const transliterator = loadWhenUsed<typeof import('any-ascii')>('any-ascii');

/** The text in ASCII, with spaces around Chinese characters, which are syllables. Emoji are left out. */
function inAscii(text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
  return transliterator().default(
    text.replace(/\p{Extended_Pictographic}/gu, '').replace(/\p{Script=Han}/gu, (character) => ` ${character} `),
  );
}
