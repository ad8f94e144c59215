import { trimEndOf } from '../trim-characters.ts';
import { isExternal } from './links.ts';
import { decodeAddress, folderOf, joinPath } from './repository-path.ts';

/** A larger repository that a source is a directory of. */
export interface ExternalFiles {
  /** Prefix of the URLs of its files. */
  url: string;
  /** Directory of the source; empty for the whole repository. */
  directory: string;
}

/**
 * The URL of a file that a relative link in `fromFile` leads to. Undefined for other links, and those out of the
 * repository.
 */
export function externalUrl(
  { url: prefix, directory }: ExternalFiles,
  fromFile: string,
  url: string,
): string | undefined {
  if (isExternal(url) || /^[#/?]|^$|^broken-reference/.test(url)) return undefined;
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(url) ?? [];
  const folder = [directory, folderOf(fromFile)].filter((part) => part !== '').join('/');
  const target = joinPath(folder, decodeAddress(path));
  if (target === undefined || target === '') return undefined;
  return `${trimEndOf(prefix, '/')}/${target.split('/').map(encodeURIComponent).join('/')}${rest}`;
}
