import { trimEndOf, trimStartOf } from '../trim-characters.ts';
import { isReadme, withoutExtension } from './repository-path.ts';

const MAX_LENGTH = 100;

/**
 * The slug of a page by its place in a repository: the name of its file, a README's by that of its folder, in lower
 * case. Dots and underscores stay, since they are in the addresses that links from elsewhere use. Empty if nothing
 * is left.
 */
export function slugOfPath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.' && part !== '..');
  const name = isReadme(path) ? parts.at(-2) : parts.at(-1);
  const words = withoutExtension(name ?? '')
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}._~-]+/gu, '-');
  const points = Array.from(trimStartOf(words, '-.'));
  return trimEndOf(points.slice(0, MAX_LENGTH).join(''), '-.');
}
