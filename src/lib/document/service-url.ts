import type { ContentRef } from './content-ref.ts';
import { decodePercents } from './relative-link.ts';

/** References by their URLs. */
export type UrlTargets = Readonly<Record<string, ContentRef>>;

/** A URL in Markdown that may lead to content of this service. */
export type ServiceUrl =
  /** A page by its path, relative to the page of the text or, with a leading slash, to the top level of the space. */
  | { kind: 'path'; path: string; anchor?: string }
  /** A file by the hash of its bytes and its name, from its download URL. */
  | { kind: 'file'; blob: string; name: string }
  | { kind: 'page'; space: string; page: string; anchor?: string }
  | { kind: 'space'; space: string; anchor?: string }
  | { kind: 'collection'; collection: string };

/** Fits the longest path, 32 slugs of 100 code points, in percent-encoding. */
const MAX_LENGTH = 40_000;

/**
 * Possible target of a URL: URLs that this service returns (`urls.app`, downloads) and relative URLs. Undefined for all
 * others, and for URLs with a query or a NUL character. Takes linear time.
 */
export function parseServiceUrl(url: string, publicUrl: string): ServiceUrl | undefined {
  if (url === '' || url.startsWith('#') || url.length > MAX_LENGTH) return undefined;
  const hash = url.indexOf('#');
  const path = hash < 0 ? url : url.slice(0, hash);
  if (path.includes('?') || /\0|%00/.test(url)) return undefined;
  const anchor = hash < 0 || hash === url.length - 1 ? {} : { anchor: decodePercents(url.slice(hash + 1)) };
  if (path.startsWith(`${publicUrl}/`)) return absolute(path.slice(publicUrl.length + 1).split('/'), anchor);
  return /^[a-z][a-z0-9+.-]*:|^\/\//i.test(path) ? undefined : { kind: 'path', path, ...anchor };
}

function absolute(segments: readonly string[], anchor: { anchor?: string }): ServiceUrl | undefined {
  const [top, first = '', second = '', third = '', fourth = ''] = segments;
  if (top === 'files' && segments.length === 5 && /^[0-9a-f]{64}$/.test(second)) {
    return { kind: 'file', blob: second, name: decodePercents(fourth) };
  }
  if (top !== 'app' || second === '') return undefined;
  if (first === 'spaces' && third === 'pages' && fourth !== '' && segments.length === 5) {
    return { kind: 'page', space: second, page: fourth, ...anchor };
  }
  if (segments.length !== 3) return undefined;
  if (first === 'spaces') return { kind: 'space', space: second, ...anchor };
  return first === 'collections' ? { kind: 'collection', collection: second } : undefined;
}
