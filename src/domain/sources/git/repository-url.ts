import { isIPv6 } from 'node:net';
import { unescape as decode } from 'node:querystring';
import { trimEndOf } from '../../../lib/trim-characters.ts';
import { badInput } from '../../../platform/errors/errors.ts';

/** The parts of the URL of a repository. */
export interface RepositoryUrl {
  /** Without credentials, query and fragment. */
  url: string;
  /** `user:password`, as basic authentication sends it. Undefined if the URL has none. */
  credentials: string | undefined;
}

/**
 * Reads the address of a repository: an http(s) URL, or with `hasGit` also one for SSH, in the form
 * `ssh://user@host/path` or `user@host:path`. BAD_USER_INPUT otherwise. The message never contains the address.
 */
export function readRepositoryUrl(text: string, { hasGit }: { hasGit: boolean }): RepositoryUrl {
  const ssh = readSshAddress(text);
  if (ssh && !hasGit) {
    throw badInput(
      ['url'],
      'is an SSH address, which this service does not support without the setting GIT_PROGRAM. Use an https:// URL.',
      'INVALID_FORMAT',
    );
  }
  if (ssh) return { url: sshUrl(ssh), credentials: undefined };
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw badInput(
      ['url'],
      'must be the http:// or https:// URL of a Git repository, or ssh://user@host/path. Other protocols and local paths are not supported.',
      'INVALID_FORMAT',
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

/** The parts of an address for SSH. */
export interface SshAddress {
  user: string;
  /** In lower case, without brackets. */
  host: string;
  port: number | undefined;
  /** Path on the server. It is relative to the directory of the user unless it begins with a slash. */
  path: string;
}

const USER = /^[a-z0-9_][a-z0-9._-]{0,63}$/i;
const HOST = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/i;
/** Git quotes paths for the shell of the server, which is not always a shell. */
const PATH = /^[\p{L}\p{N}/_~][\p{L}\p{N}/_~.+@%=:,-]*$/u;

/**
 * Reads `ssh://user@host:port/path` or `user@host:path`. Undefined for anything else. `/~/` begins the path of a
 * directory of the user.
 */
export function readSshAddress(text: string): SshAddress | undefined {
  const [, user = '', hostname = '', digits, absolute] =
    /^ssh:\/\/([^@/:]+)@(\[[^\]/]*\]|[^/:@[\]]+)(?::(\d{1,5}))?(\/.+)$/.exec(text) ?? [];
  const [, shortUser = '', shortHost = '', relative] = /^([^@/:]+)@([^/:@[\]]+):(.+)$/.exec(text) ?? [];
  const host = (absolute === undefined ? shortHost : hostname.replace(/^\[|\]$/g, '')).toLowerCase();
  const path = trimEndOf(absolute?.replace(/^\/~\//, '') ?? relative ?? '', '/');
  const port = digits === undefined ? undefined : Number(digits);
  const isHost = hostname.startsWith('[') ? isIPv6(host) : HOST.test(host);
  if (!USER.test(absolute === undefined ? shortUser : user) || !isHost || !PATH.test(path)) return undefined;
  if (port !== undefined && (port < 1 || port > 65_535)) return undefined;
  if (path.split('/').includes('..')) return undefined;
  return { user: absolute === undefined ? shortUser : user, host, port: port === 22 ? undefined : port, path };
}

/** The address as URL, by which repositories are compared. */
function sshUrl({ user, host, port, path }: SshAddress): string {
  const authority = `${user}@${isIPv6(host) ? `[${host}]` : host}${port === undefined ? '' : `:${port}`}`;
  return `ssh://${authority}${path.startsWith('/') ? path : `/~/${path}`}`;
}

/** Whether the URL of a repository is one for SSH. */
export const isSsh = (url: string): boolean => url.startsWith('ssh:');

/** Rules for names of branches (git-check-ref-format). */
export function isRef(ref: string): boolean {
  if (!/^refs\/[^/]/.test(ref) || ref.split('/').length < 3) return false;
  if (/[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|\/$|\.$/u.test(ref)) return false;
  return ref
    .split('/')
    .every((part) => part !== '' && !part.startsWith('.') && !part.startsWith('-') && !part.endsWith('.lock'));
}

/** What a space is synchronized with: a directory of a branch. */
export interface BranchDirectory {
  /** Without credentials, as `readRepositoryUrl` returns it. */
  repositoryUrl: string;
  ref: string;
  /** As `directoryOf` returns it. */
  projectDirectory: string;
}

/** Whether two synchronizations are with the same directory of the same branch. */
export const isSameBranch = (a: BranchDirectory, b: BranchDirectory): boolean =>
  a.repositoryUrl === b.repositoryUrl && a.ref === b.ref && a.projectDirectory === b.projectDirectory;

/** A directory in a repository without slashes at its ends; undefined if it could lead out of it. */
export function directoryOf(text: string): string | undefined {
  const parts = text.split('/').filter((part) => part !== '' && part !== '.');
  const isUnsafe = parts.some((part) => part === '..' || /[\\\p{Cc}]|^\.git$/iu.test(part));
  return isUnsafe ? undefined : parts.join('/');
}
