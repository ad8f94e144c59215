/** Shorter words have too many neighbours for a typo to tell anything. */
const MIN_TYPO = 4;
const MAX_TYPO = 30;

/** Whether a typo in the word is looked past: letters only, of a length that leaves something to recognize. */
export const toleratesTypo = (word: string) =>
  word.length >= MIN_TYPO && word.length <= MAX_TYPO && /^\p{L}+$/u.test(word);

/**
 * Numbers for the word and for each word that it becomes without one of its letters. Two words that are one edit apart (a
 * letter more, less, other, or two swapped) have a number in common, so that an index finds every neighbour; the rest
 * that has one by chance is told apart by `isOneEdit`. `salt` keeps owners apart.
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
