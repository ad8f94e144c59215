import type { Kept } from './cache.ts';
import type { SiteView } from './site-view.ts';

/**
 * What a part of a site is kept by. Pages that all visitors see have a share of their own: anybody can make up claims, and
 * so audiences without number. `made up` is for what depends on a text that the client has chosen.
 */
export const keptBy = (
  { site, audience, isOpen, base }: Pick<SiteView, 'site' | 'audience' | 'isOpen' | 'base'>,
  parts: readonly unknown[],
  kind: 'pages' | 'made up' = 'pages',
): Kept => ({
  owner: [site.organizationId, kind, ...(isOpen ? [] : ['claims'])].join(' '),
  key: JSON.stringify([site.id, site.state, audience, base, ...parts]),
});
