import type { CacheKey } from './cache.ts';
import type { SiteView } from './site-view.ts';

/** Kind of input of a response: pages of the site, or a text that the client has chosen. */
type Kind = 'pages' | 'made up';

/** Cache key of a response. `parts` are its dependencies besides the site and the audience. */
export const responseCacheKey = (
  { site, audience, isOpen, base }: Pick<SiteView, 'site' | 'audience' | 'isOpen' | 'base'>,
  parts: readonly unknown[],
): CacheKey => ({ owner: ownerOf(site.organizationId, isOpen, 'pages'), key: keyOf(site, [audience, base, ...parts]) });

/**
 * Cache key of a fragment of a site, which depends on everything that a view knows about its visitor. Undefined for
 * previews, which are not cached.
 */
export function fragmentCacheKey(
  view: SiteView,
  parts: readonly unknown[],
  kind: Kind = 'pages',
): CacheKey | undefined {
  if (view.audience === undefined) return undefined;
  const { ctx: _reader, structure: _derived, site, ...seen } = view;
  return { owner: ownerOf(site.organizationId, view.isOpen, kind), key: keyOf(site, ['part', seen, ...parts]) };
}

/**
 * Pages that all visitors see have their own quota, because visitors can invent claims, and so any number of audiences.
 * Responses that depend on a text of the client have one, too.
 */
const ownerOf = (organizationId: string, isOpen: boolean, kind: Kind) =>
  [organizationId, kind, ...(isOpen ? [] : ['claims'])].join(' ');

const keyOf = ({ id, state }: SiteView['site'], parts: readonly unknown[]) => JSON.stringify([id, state, ...parts]);
