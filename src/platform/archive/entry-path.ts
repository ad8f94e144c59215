import { ArchiveError, quoteName } from './archive.ts';

const MAX_PATH_CHARACTERS = 1024;
const IGNORED_FOLDERS = new Set(['__MACOSX', '.git']);
const IGNORED_FILES = new Set(['.DS_Store', 'Thumbs.db']);

/**
 * Normalizes the name of an entry to a relative path without `.` segments, in normal form C (macOS uses form D).
 * Rejects names that lead out of the archive, or whose meaning depends on the system. Empty for the root.
 */
export function safeEntryPath(name: string): string {
  const fault = faultOf(name);
  if (fault) {
    const advice = 'Pack the folder again with plain relative paths.';
    throw new ArchiveError('path', `The entry ${quoteName(name)} ${fault}. ${advice}`);
  }
  return name
    .normalize('NFC')
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/');
}

/** Whether the path belongs to files of operating systems or git. */
export function isIgnoredPath(path: string): boolean {
  const segments = path.split('/');
  return segments.some((segment) => IGNORED_FOLDERS.has(segment)) || IGNORED_FILES.has(segments.at(-1) ?? '');
}

/** The folder that contains all paths, with a trailing slash, or empty. */
export function topFolderOf(paths: readonly string[]): string {
  const first = paths[0] ?? '';
  const top = first.slice(0, first.indexOf('/') + 1);
  return top !== '' && paths.every((path) => path.startsWith(top)) ? top : '';
}

function faultOf(name: string): string | undefined {
  if (name.includes('\0')) return 'has a NUL character in its name';
  if (name.includes('\\')) return 'has a backslash in its name';
  if (name.startsWith('/')) return 'has an absolute path';
  if (/^[a-z]:/i.test(name)) return 'begins with a drive letter';
  if (name.split('/').includes('..')) return 'leads out of the folder with ".."';
  if (name.length > MAX_PATH_CHARACTERS) return `has a path of more than ${MAX_PATH_CHARACTERS} characters`;
  return undefined;
}
