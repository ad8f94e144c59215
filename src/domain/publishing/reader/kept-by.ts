import type { CacheKey } from './cache.ts';
import type { SiteView } from './site-view.ts';

/** What answers are made of: pages of the site, or a text that the client has chosen. */
type Kind = 'pages' | 'made up';

/** What an answer to a request is kept by. `parts` are what it depends on besides the site and the audience. */
export const keptBy = (
  { site, audience, isOpen, base }: Pick<SiteView, 'site' | 'audience' | 'isOpen' | 'base'>,
  parts: readonly unknown[],
): CacheKey => ({ owner: ownerOf(site.organizationId, isOpen, 'pages'), key: keyOf(site, [audience, base, ...parts]) });

/** What a part of a site is kept by. It depends on everything that a view says about its visitor. Nothing of previews is kept. */
export function keptOf(view: SiteView, parts: readonly unknown[], kind: Kind = 'pages'): CacheKey | undefined {
  if (view.audience === undefined) return undefined;
  const { ctx: _reader, structure: _derived, site, ...seen } = view;
  return { owner: ownerOf(site.organizationId, view.isOpen, kind), key: keyOf(site, ['part', seen, ...parts]) };
}

/**
 * Pages that all visitors see have a share of their own: anybody can make up claims, and so audiences without number. So
 * has what depends on a text of the client.
 */
const ownerOf = (organizationId: string, isOpen: boolean, kind: Kind) =>
  [organizationId, kind, ...(isOpen ? [] : ['claims'])].join(' ');

const keyOf = ({ id, state }: SiteView['site'], parts: readonly unknown[]) => JSON.stringify([id, state, ...parts]);
