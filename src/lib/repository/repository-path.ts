import { trimEndOf, trimStartOf } from '../trim-characters.ts';

/**
 * Paths of a repository are relative to its root, joined by `/`, without `.` and `..`, and empty for the root itself.
 */

/** Resolves a path relative to a folder; undefined if it leaves the repository. */
export function joinPath(folder: string, relative: string): string | undefined {
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of relative.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

export const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));

export const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1);

export const isMarkdown = (path: string) => /\.(?:mdx?|markdown)$/i.test(path);

export const withoutExtension = (path: string) => path.replace(/\.(?:mdx?|markdown)$/i, '');

export const isReadme = (path: string) => /^readme\.(?:mdx?|markdown)$/i.test(baseName(path));

/** Whether the file is the page of its folder where there is no README.md. */
export const isIndexFile = (path: string) => /^index\.(?:mdx?|markdown)$/i.test(baseName(path));

/** Whether a path is inside a folder at any depth. All paths are inside the root. */
export const isInside = (path: string, folder: string) => folder === '' || path.startsWith(`${folder}/`);

/** A path relative to a folder that contains it. */
export const below = (folder: string, path: string) => (folder === '' ? path : path.slice(folder.length + 1));

/** Whether the name of a file or of a folder in its path begins with a dot: settings and assets, not pages. */
export const isHiddenPath = (path: string) => path.split('/').some((part) => part.startsWith('.'));

/** Decodes percent-encoding; returns the text itself if the encoding is invalid. */
export function decodeAddress(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Paths with the same result are one file on some systems. */
export const foldPath = (path: string): string => path.normalize('NFC').toLowerCase();

const MAX_SLUG = 100;

/**
 * The slug of a page by its path in a repository: the name of its file, or of its folder for a README, in lower case.
 * Dots, underscores and plus signs are kept, since external links use them. Can be empty.
 */
export function slugOfPath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.' && part !== '..');
  const name = isReadme(path) ? parts.at(-2) : parts.at(-1);
  const words = withoutExtension(name ?? '')
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}._~+-]+/gu, '-');
  const points = Array.from(trimStartOf(words, '-.'));
  return trimEndOf(points.slice(0, MAX_SLUG).join(''), '-.');
}
