import type { ContentRef } from './content-ref.ts';

const inSpace = /^space:([^/?#]+)\/(.+)$/s;
const idForm = /^(file|page|reusable|tag|user|collection|openapi|space):([^/?#]+)(?:#(.*))?$/s;
const verbatim = 'url:';

/**
 * A URL that identifies the target itself instead of the place where it is published: `page:…`, `page:…#anchor`,
 * `file:…`, `user:…`, `collection:…`, `openapi:…`, `reusable:…`, `tag:…` and `space:…`, prefixed with `space:…/` for
 * targets in another space, and `#anchor` on the same page. Other URLs stay unchanged; those that look like a stable
 * URL are prefixed with `url:`.
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

/** The reference of a stable URL; `{ kind: 'url' }` for every other URL. */
export function refOfUrl(url: string): ContentRef {
  return stableRef(url) ?? { kind: 'url', url: url.startsWith(verbatim) ? url.slice(verbatim.length) : url };
}

function stableRef(url: string): ContentRef | undefined {
  if (url.startsWith('#')) return { kind: 'anchor', anchor: decodeAnchor(url.slice(1)) };
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
  const fragment = `#${anchor.replace(/[%\s\p{Cc}]/gu, encodeURIComponent)}`;
  if (page !== undefined) return within(space, `page:${encodeId(page)}`) + fragment;
  return space === undefined ? fragment : `space:${encodeId(space)}${fragment}`;
}

function within(space: string | undefined, url: string): string {
  return space === undefined ? url : `space:${encodeId(space)}/${url}`;
}

function isPlain(url: string): boolean {
  return !url.startsWith(verbatim) && stableRef(url) === undefined;
}

function encodeId(id: string): string {
  return encodeURIComponent(id);
}

function decodeId(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded) || undefined;
  } catch {
    return undefined;
  }
}

/** Anchors may contain any letters. Percent signs without two hexadecimal digits are literal. */
function decodeAnchor(fragment: string): string {
  return decodeId(fragment) ?? fragment;
}
