import type { ContentRef } from './content-ref.ts';
import { decoded } from './relative-link.ts';

/** References by the addresses that name them. */
export type Targets = Readonly<Record<string, ContentRef>>;

/** What an address in Markdown may name of this service. */
export type OwnAddress =
  /** A page by its path, from the page that the text stands on or, with a slash, from the top of the space. */
  | { kind: 'path'; path: string; anchor?: string }
  /** A file by the hash of its bytes and its name, as its download address has them. */
  | { kind: 'file'; blob: string; name: string }
  | { kind: 'page'; space: string; page: string; anchor?: string }
  | { kind: 'space'; space: string; anchor?: string }
  | { kind: 'collection'; collection: string };

/** The longest path of a tree, 32 slugs of 100 code points, fits percent-encoded. */
const MAX_LENGTH = 40_000;

/**
 * What an address may name, undefined where it is of another kind: one that answers of this service give (`urls.app`,
 * downloads), or a relative one. An address with a query or a NUL names nothing. Takes time in proportion to its length.
 */
export function ownAddress(url: string, publicUrl: string): OwnAddress | undefined {
  if (url === '' || url.startsWith('#') || url.length > MAX_LENGTH) return undefined;
  const hash = url.indexOf('#');
  const path = hash < 0 ? url : url.slice(0, hash);
  if (path.includes('?') || /\0|%00/.test(url)) return undefined;
  const anchor = hash < 0 || hash === url.length - 1 ? {} : { anchor: decoded(url.slice(hash + 1)) };
  if (path.startsWith(`${publicUrl}/`)) return absolute(path.slice(publicUrl.length + 1).split('/'), anchor);
  return /^[a-z][a-z0-9+.-]*:|^\/\//i.test(path) ? undefined : { kind: 'path', path, ...anchor };
}

function absolute(segments: readonly string[], anchor: { anchor?: string }): OwnAddress | undefined {
  const [top, first = '', second = '', third = '', fourth = ''] = segments;
  if (top === 'files' && segments.length === 5 && /^[0-9a-f]{64}$/.test(second)) {
    return { kind: 'file', blob: second, name: decoded(fourth) };
  }
  if (top !== 'app' || second === '') return undefined;
  if (first === 'spaces' && third === 'pages' && fourth !== '' && segments.length === 5) {
    return { kind: 'page', space: second, page: fourth, ...anchor };
  }
  if (segments.length !== 3) return undefined;
  if (first === 'spaces') return { kind: 'space', space: second, ...anchor };
  return first === 'collections' ? { kind: 'collection', collection: second } : undefined;
}
