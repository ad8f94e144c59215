import { trimEndOf, trimStartOf } from '../trim-characters.ts';
import { isReadme, withoutExtension } from './repository-path.ts';

const MAX_LENGTH = 100;

/**
 * The slug of a page by its path in a repository: the name of its file, or of its folder for a README, in lower case. Dots,
 * underscores and plus signs are kept, since external links use them. Can be empty.
 */
export function slugOfPath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.' && part !== '..');
  const name = isReadme(path) ? parts.at(-2) : parts.at(-1);
  const words = withoutExtension(name ?? '')
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}._~+-]+/gu, '-');
  const points = Array.from(trimStartOf(words, '-.'));
  return trimEndOf(points.slice(0, MAX_LENGTH).join(''), '-.');
}
