import { UriTemplate } from '@modelcontextprotocol/server';

/** The URIs of pages as resources. */
export const PAGE_URIS = {
  page: 'stemma://spaces/{spaceId}/pages/{pageId}',
  changeRequestPage: 'stemma://spaces/{spaceId}/change-requests/{changeRequestId}/pages/{pageId}',
} as const;

const MAX_URI = 1_000;

const templates = Object.values(PAGE_URIS).map((template) => new UriTemplate(template));

/** Whether a part of a URI can be an id or a number. */
const isName = (part: unknown): boolean => typeof part === 'string' && /^[\w-]{0,200}$/.test(part);

/** The names in the URI of a page. Undefined for other URIs. */
export function pageNamedBy(
  uri: string,
): { spaceId: string; changeRequestId?: string | undefined; pageId: string } | undefined {
  if (uri.length > MAX_URI) return undefined;
  for (const template of templates) {
    const { spaceId, changeRequestId, pageId } = template.match(uri) ?? {};
    if (![spaceId, pageId, changeRequestId ?? ''].every(isName)) continue;
    if (typeof spaceId !== 'string' || typeof pageId !== 'string') continue;
    return { spaceId, pageId, ...(typeof changeRequestId === 'string' && { changeRequestId }) };
  }
  return undefined;
}
