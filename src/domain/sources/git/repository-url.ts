import { unescape as decode } from 'node:querystring';
import { trimEndOf } from '../../../lib/trim-characters.ts';
import { badInput } from '../../../platform/errors.ts';

/** The parts of the URL of a repository. */
export interface RepositoryUrl {
  /** Without credentials, query and fragment. */
  url: string;
  /** `user:password`, as basic authentication sends it. Undefined if the URL has none. */
  credentials: string | undefined;
}

/** Reads the URL of a repository. BAD_USER_INPUT unless it is an http(s) URL. The message never contains the URL. */
export function readRepositoryUrl(text: string): RepositoryUrl {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw badInput(
      ['url'],
      'must be the http:// or https:// URL of a Git repository. Other protocols and local paths are not supported.',
    );
  }
  const { username, password } = url;
  url.username = '';
  url.password = '';
  url.search = '';
  url.hash = '';
  const credentials = username === '' && password === '' ? undefined : `${decode(username)}:${decode(password)}`;
  return { url: trimEndOf(url.href, '/'), credentials };
}

/** Rules for names of branches (git-check-ref-format). */
export function isRef(ref: string): boolean {
  if (!/^refs\/[^/]/.test(ref) || ref.split('/').length < 3) return false;
  if (/[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|\/$|\.$/u.test(ref)) return false;
  return ref
    .split('/')
    .every((part) => part !== '' && !part.startsWith('.') && !part.startsWith('-') && !part.endsWith('.lock'));
}

/** A directory in a repository without slashes at its ends; undefined if it could lead out of it. */
export function directoryOf(text: string): string | undefined {
  const parts = text.split('/').filter((part) => part !== '' && part !== '.');
  const isUnsafe = parts.some((part) => part === '..' || /[\\\p{Cc}]|^\.git$/iu.test(part));
  return isUnsafe ? undefined : parts.join('/');
}
