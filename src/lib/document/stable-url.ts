import type { ContentRef } from './content-ref.ts';

const inSpace = /^space:([^/?#]+)\/(.+)$/s;
const idForm = /^(file|page|reusable|tag|user|collection|openapi|space):([^/?#]+)(?:#(.*))?$/s;
const verbatim = 'url:';

/** The id of an object of this service. */
const objectId = /^([a-z]{1,20})_[0-9a-hjkmnp-tv-z]{26}$/;

/** The kinds of objects in paths of its API, by the segment before the id. */
const kindsInSpaces = new Map([
  ['pages', 'page'],
  ['files', 'file'],
  ['reusable-content', 'reusable'],
  ['tags', 'tag'],
]);
const kindsAtTop = new Map([...kindsInSpaces, ['spaces', 'space'], ['collections', 'collection'], ['users', 'user']]);

/** The name of the specification that a path is, in a text that refers to it. */
export const specOfPath = (path: string): string | undefined =>
  /^\/openapi\/[^/?#]+$/.test(path) ? decodeId(path.slice('/openapi/'.length)) : undefined;

/** A URL that is not read as a reference, whatever it looks like. */
export const verbatimUrl = (url: string): string => verbatim + url;

/**
 * A URL that identifies the target itself instead of the place where it is published. The forms are `page:…`,
 * `page:…#anchor`, `file:…`, `user:…`, `collection:…`, `openapi:…`, `reusable:…`, `tag:…` and `space:…`, prefixed with
 * `space:…/` for targets in another space, and `#anchor` on the same page. Other URLs stay unchanged; those that look
 * like a stable URL are prefixed with `url:`.
 */
export function stableUrl(ref: ContentRef): string {
  switch (ref.kind) {
    case 'url':
      return isPlain(ref.url) ? ref.url : verbatim + ref.url;
    case 'page':
      return within(ref.space, `page:${encodeId(ref.page)}`);
    case 'file':
      return within(ref.space, `file:${encodeId(ref.file)}`);
    case 'reusable-content':
      return within(ref.space, `reusable:${encodeId(ref.reusableContent)}`);
    case 'tag':
      return within(ref.space, `tag:${encodeId(ref.tag)}`);
    case 'anchor':
      return anchorUrl(ref);
    case 'user':
      return `user:${encodeId(ref.user)}`;
    case 'collection':
      return `collection:${encodeId(ref.collection)}`;
    case 'openapi':
      return `openapi:${encodeId(ref.spec)}`;
    case 'space':
      return `space:${encodeId(ref.space)}`;
  }
}

/**
 * The same as a path, as clients of `/v1` read it: `/pages/…`, `/pages/…#anchor`, `/files/…`, `/reusable-content/…`,
 * `/tags/…`, prefixed with `/spaces/…` for targets in another space, `/spaces/…`, `/collections/…`, `/users/…` and
 * `/openapi/…`. What would not be read again as the same reference, such as an id that is not of this service, stays a
 * stable URL.
 */
export function stablePath(ref: ContentRef): string {
  if (ref.kind === 'openapi') return `/openapi/${encodeId(ref.spec)}`;
  const url = stableUrl(ref);
  const path = pathOf(ref);
  const read = path === undefined ? undefined : refOfPath(path);
  return path !== undefined && read && stableUrl(read) === url ? path : url;
}

function pathOf(ref: ContentRef): string | undefined {
  const within = 'space' in ref && ref.space !== undefined ? `/spaces/${ref.space}` : '';
  switch (ref.kind) {
    case 'page':
      return `${within}/pages/${ref.page}`;
    case 'file':
      return `${within}/files/${ref.file}`;
    case 'reusable-content':
      return `${within}/reusable-content/${ref.reusableContent}`;
    case 'tag':
      return `${within}/tags/${ref.tag}`;
    case 'space':
      return within;
    case 'anchor': {
      const page = ref.page === undefined ? '' : `/pages/${ref.page}`;
      return within + page === '' ? undefined : `${within}${page}${fragmentOf(ref.anchor)}`;
    }
    case 'collection':
      return `/collections/${ref.collection}`;
    case 'user':
      return `/users/${ref.user}`;
    default:
      return undefined;
  }
}

/** The reference of a path with the id of an object. Other paths, such as `/users/me`, are those of other sites. */
function refOfPath(url: string): ContentRef | undefined {
  const hash = url.indexOf('#');
  const [start, first = '', second = '', third, fourth, ...others] = (hash < 0 ? url : url.slice(0, hash)).split(
    '/',
    7,
  );
  if (start !== '' || others.length > 0) return undefined;
  const anchor = hash < 0 ? undefined : decodeAnchor(url.slice(hash + 1));
  const outer = namedBy(kindsAtTop, first, second);
  if (outer === undefined) return undefined;
  if (third === undefined) return refOf(outer, second, undefined, anchor);
  const inner = outer === 'space' ? namedBy(kindsInSpaces, third, fourth ?? '') : undefined;
  return inner === undefined ? undefined : refOf(inner, fourth ?? '', second, anchor);
}

/** The kind that a segment stands for, if the id below it is one of it. */
function namedBy(kinds: ReadonlyMap<string, string>, segment: string, id: string): string | undefined {
  const kind = kinds.get(segment);
  return kind !== undefined && objectId.exec(id)?.[1] === kind ? kind : undefined;
}

/** The reference of a stable URL; `{ kind: 'url' }` for every other URL. */
export function refOfUrl(url: string): ContentRef {
  return stableRef(url) ?? { kind: 'url', url: url.startsWith(verbatim) ? url.slice(verbatim.length) : url };
}

function stableRef(url: string): ContentRef | undefined {
  if (url.startsWith('#')) return { kind: 'anchor', anchor: decodeAnchor(url.slice(1)) };
  if (url.startsWith('/')) return refOfPath(url);
  const [, spaceId, inner] = inSpace.exec(url) ?? [];
  const space = spaceId === undefined ? undefined : decodeId(spaceId);
  if (spaceId !== undefined && space === undefined) return undefined;
  const [, form, encoded, fragment] = idForm.exec(inner ?? url) ?? [];
  const id = encoded === undefined ? undefined : decodeId(encoded);
  if (form === undefined || id === undefined) return undefined;
  const anchor = fragment === undefined ? undefined : decodeAnchor(fragment);
  return refOf(form, id, space, anchor);
}

function refOf(form: string, id: string, space?: string, anchor?: string): ContentRef | undefined {
  const place = space === undefined ? {} : { space };
  if (form === 'page')
    return anchor === undefined ? { kind: 'page', page: id, ...place } : anchorRef(anchor, id, space);
  if (form === 'space' && space === undefined) {
    return anchor === undefined ? { kind: 'space', space: id } : { kind: 'anchor', anchor, space: id };
  }
  if (anchor !== undefined) return undefined;
  if (form === 'file') return { kind: 'file', file: id, ...place };
  if (form === 'reusable') return { kind: 'reusable-content', reusableContent: id, ...place };
  if (form === 'tag') return { kind: 'tag', tag: id, ...place };
  if (space !== undefined) return undefined;
  if (form === 'user') return { kind: 'user', user: id };
  if (form === 'collection') return { kind: 'collection', collection: id };
  return form === 'openapi' ? { kind: 'openapi', spec: id } : undefined;
}

function anchorRef(anchor: string, page: string, space: string | undefined): ContentRef {
  return { kind: 'anchor', anchor, page, ...(space !== undefined && { space }) };
}

function anchorUrl({ anchor, page, space }: Extract<ContentRef, { kind: 'anchor' }>): string {
  const fragment = fragmentOf(anchor);
  if (page !== undefined) return within(space, `page:${encodeId(page)}`) + fragment;
  return space === undefined ? fragment : `space:${encodeId(space)}${fragment}`;
}

const fragmentOf = (anchor: string) => `#${anchor.replace(/[%\s\p{Cc}]/gu, encodeURIComponent)}`;

function within(space: string | undefined, url: string): string {
  return space === undefined ? url : `space:${encodeId(space)}/${url}`;
}

function isPlain(url: string): boolean {
  return !url.startsWith(verbatim) && stableRef(url) === undefined;
}

function encodeId(id: string): string {
  return encodeURIComponent(id);
}

/** Undefined for what cannot be decoded or, as text with U+0000, be stored. */
function decodeId(encoded: string): string | undefined {
  try {
    const id = decodeURIComponent(encoded);
    return id === '' || id.includes('\0') ? undefined : id;
  } catch {
    return undefined;
  }
}

/** Anchors may contain any letters. Those that cannot be decoded stay as written. */
function decodeAnchor(fragment: string): string {
  return decodeId(fragment) ?? fragment;
}
