import { trimEndOf, trimStartOf } from './trim-characters.ts';

const MAX_LENGTH = 100;

/**
 * Makes a path segment from a title: lower case in NFC, with a hyphen for each run of characters other than letters,
 * marks and digits of any script. At most 100 code points. A title without letters and digits gives `page`.
 */
export function slugify(title: string): string {
  const words = title
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-');
  return cut(words, MAX_LENGTH) || 'page';
}

/** The slug itself, or with the first free suffix `-2`, `-3`…; stays within 100 code points. */
export function uniqueSlug(slug: string, usedSlugs: ReadonlySet<string>): string {
  let candidate = slug;
  for (let count = 2; usedSlugs.has(candidate); count++) {
    const suffix = `-${count}`;
    const isShort = slug.length + suffix.length <= MAX_LENGTH;
    candidate = (isShort ? slug : cut(slug, MAX_LENGTH - suffix.length)) + suffix;
  }
  return candidate;
}

function cut(text: string, length: number): string {
  const points = Array.from(trimStartOf(text, '-'));
  return trimEndOf(points.slice(0, length).join(''), '-');
}
