import { quote } from './report.ts';
import { findFile, type RepositoryFiles, readingsOf } from './repository-files.ts';
import {
  below,
  decodeAddress,
  folderOf,
  isHiddenPath,
  isInside,
  isMarkdown,
  joinPath,
  withoutExtension,
} from './repository-path.ts';

/** Target of a link in a repository. `note` is for the report of the import: the link works, but not as written. */
export type RepositoryLinkTarget =
  | { kind: 'page'; file: string; anchor?: string; note?: string }
  | { kind: 'file'; path: string; note?: string }
  | { kind: 'url'; url: string }
  | { kind: 'broken'; url: string; reason: string };

/** The target of a link to a file, which can be a page. */
export interface LocatedFile {
  file: string;
  anchor?: string;
  note?: string;
}

/** URLs with a scheme (RFC 3986, section 3.1) or a host. A single letter before a colon is a drive, not a scheme. */
export const isExternal = (url: string) => /^(?:[a-z][a-z0-9+.-]+:|\/\/)/i.test(url);

/**
 * Resolves the URL of a link or image in a file. Entities and escapes of Markdown must be decoded before. Broken links
 * keep their URL, with a reason.
 */
export function resolveLink(fromFile: string, url: string, repository: RepositoryFiles): RepositoryLinkTarget {
  const located = isExternal(url) ? byAddress(url, repository) : locateFile(fromFile, url, repository);
  if (located === undefined) return { kind: 'url', url };
  if (typeof located === 'string') return { kind: 'broken', url, reason: located };
  const { file, anchor, note } = located;
  const noted = note === undefined ? {} : { note };
  if (repository.pages.has(file)) return { kind: 'page', file, ...(anchor ? { anchor } : {}), ...noted };
  if (!isMarkdown(file) || isHiddenPath(file)) return { kind: 'file', path: file, ...noted };
  return { kind: 'broken', url, reason: `${quote(file)} is not a page: it is not in the table of contents` };
}

/** The target of a relative or root-relative URL, or the reason why there is none. */
export function locateFile(fromFile: string, url: string, repository: RepositoryFiles): LocatedFile | string {
  // GitBook writes this when the target of a link was deleted.
  if (/^\/?broken-reference(?:\/|$)/.test(url)) return 'its target was gone when it was written';
  const { path, anchor } = splitAddress(url);
  const anchored = anchor === undefined ? {} : { anchor };
  if (path === '' && anchor !== undefined) return { file: fromFile, ...anchored };
  if (path === '') return 'it has no address';
  const places = placesOf(fromFile, path, repository);
  if (places.length === 0) return 'it leads out of the repository';
  const readings = places.flatMap((place) => readingsOf(repository, place, path.endsWith('/')));
  const exact = readings.find((reading) => repository.files.has(reading));
  if (exact !== undefined) return { file: exact, ...anchored };
  const target =
    byOtherName(places, repository) ??
    redirected(places, repository) ??
    byPagePath(places, repository) ??
    inOtherCase(readings, repository) ??
    fromPageAddress(fromFile, path, repository);
  return target ? { ...target, ...anchored } : `there is no file ${quote(places[0] ?? path)}`;
}

/** The page that was downloaded from a URL, with or without a trailing slash or extension. */
function byAddress(url: string, repository: RepositoryFiles): LocatedFile | undefined {
  if (!repository.aliases) return undefined;
  const { path, anchor } = splitAddress(url);
  const spellings = [url.replace(/#.*$/s, ''), path, path.endsWith('/') ? path.slice(0, -1) : `${path}/`];
  const file = spellings.map((spelling) => repository.aliases?.get(spelling)).find((name) => name !== undefined);
  return file === undefined ? undefined : { file, ...(anchor ? { anchor } : {}) };
}

function byOtherName(places: string[], { aliases }: RepositoryFiles): LocatedFile | undefined {
  const file = places.map((place) => aliases?.get(place)).find((path) => path !== undefined);
  return file === undefined ? undefined : { file };
}

function splitAddress(url: string): { path: string; anchor?: string } {
  const hash = url.indexOf('#');
  const anchor = hash < 0 ? undefined : decodeAddress(url.slice(hash + 1));
  const path = (hash < 0 ? url : url.slice(0, hash)).replace(/\?.*$/s, '');
  return { path, ...(anchor === undefined ? {} : { anchor }) };
}

/** The paths that a URL can mean: decoded and as written, from the root of the documentation or of the repository. */
function placesOf(fromFile: string, path: string, { root }: RepositoryFiles): string[] {
  const folders = path.startsWith('/') ? [root, ''] : [folderOf(fromFile)];
  const spellings = [decodeAddress(path), path].flatMap((spelling) => [spelling, spelling.normalize('NFC')]);
  const places = spellings.flatMap((spelling) => folders.flatMap((folder) => joinPath(folder, spelling) ?? []));
  return [...new Set(places)];
}

function redirected(places: string[], repository: RepositoryFiles): LocatedFile | undefined {
  for (const place of places) {
    const target = isInside(place, repository.root)
      ? repository.redirects.get(below(repository.root, place))
      : undefined;
    const file = target === undefined ? undefined : findFile(repository, target);
    if (file !== undefined) return { file, note: `${quote(place)} is redirected to ${quote(file)}` };
  }
  return undefined;
}

/** Links between pages of a site, without file extensions and by the table of contents. */
function byPagePath(places: string[], repository: RepositoryFiles): LocatedFile | undefined {
  const inside = places.filter((place) => isInside(place, repository.root));
  const file = inside
    .map((place) => repository.pagePaths.get(below(repository.root, place)))
    .find((path) => path !== undefined);
  return file === undefined ? undefined : { file };
}

function inOtherCase(readings: string[], repository: RepositoryFiles): LocatedFile | undefined {
  const file = readings.map((reading) => findFile(repository, reading)).find((path) => path !== undefined);
  return file === undefined ? undefined : { file, note: `the file is written ${quote(file)}` };
}

/** Resolves a link as a browser would at the URL of its page with a trailing slash. */
function fromPageAddress(fromFile: string, path: string, repository: RepositoryFiles): LocatedFile | undefined {
  const place = path.startsWith('/') ? undefined : joinPath(withoutExtension(fromFile), decodeAddress(path));
  const file =
    place === undefined ? undefined : readingsOf(repository, place).find((reading) => repository.files.has(reading));
  return file === undefined ? undefined : { file, note: `read as an address of the site, it means ${quote(file)}` };
}
