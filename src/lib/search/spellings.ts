/** Shorter words have too many similar words. */
const MIN_TYPO = 4;
const MAX_TYPO = 30;

/** Whether typos in the word are tolerated: it must consist of letters and be long enough. */
export const toleratesTypo = (word: string) =>
  word.length >= MIN_TYPO && word.length <= MAX_TYPO && /^\p{L}+$/u.test(word);

/**
 * Hashes of the word and of each word that results from removing one letter. Two words at an edit distance of one (a
 * letter inserted, deleted or replaced, or two swapped) share a hash, so that an index finds all of them. `isOneEdit`
 * filters out words that share a hash by chance. `salt` separates owners.
 */
export function spellingsOf(word: string, salt: string): number[] {
  if (word.length < MIN_TYPO - 1 || word.length > MAX_TYPO + 1 || !/^\p{L}+$/u.test(word)) return [];
  const letters = [...word];
  const shorter = letters.map((_, index) => letters.toSpliced(index, 1).join(''));
  return [...new Set([word, ...shorter])].map((spelling) => hashOf(salt + spelling));
}

/** Whether one insertion, deletion, replacement or swap of neighbours turns one word into the other. */
export function isOneEdit(one: string, other: string): boolean {
  const [a, b] = one.length <= other.length ? [[...one], [...other]] : [[...other], [...one]];
  if (b.length - a.length > 1) return false;
  let head = 0;
  while (head < a.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const [left, right] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)];
  if (right.length <= 1) return left.length + right.length > 0;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}

/** FNV-1a in 32 bits over UTF-16 code units, as PostgreSQL's signed integer (Fowler, Noll, Vo). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash | 0;
}
