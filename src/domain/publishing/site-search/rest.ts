import { z } from 'zod';
import { listRoute, type Route, resourceResponse } from '../../../platform/http/route.ts';
import { spaceResult } from '../../content/search/index.ts';
import { searchSiteContent } from './search-site-content.ts';

const { query, scope } = searchSiteContent.input.shape;

/** Earlier clients name the scope beside the query. */
const body = z.object({
  query,
  scope: scope
    .unwrap()
    .unwrap()
    .optional()
    .describe('The spaces that are searched. By default, all spaces of the site.'),
  mode: z.enum(['all', 'current', 'specific']).optional().describe('Which spaces are searched, without `scope`.'),
  siteSpaceId: z
    .string()
    .optional()
    .describe('ID of the site space to search, for the mode `current`, which it implies.'),
  siteSpaceIds: z
    .array(z.string())
    .optional()
    .describe('IDs of the site spaces to search, for the mode `specific`, which they imply.'),
});

function scopeFrom({ mode, siteSpaceId, siteSpaceIds }: Record<string, unknown>): unknown {
  if (mode === 'current' || (mode === undefined && siteSpaceId !== undefined && siteSpaceIds === undefined)) {
    return { mode: 'default', currentSiteSpace: siteSpaceId ?? '', restrictTo: 'currentSiteSpace' };
  }
  return mode === 'specific' || siteSpaceIds !== undefined ? { mode: 'specific', siteSpaceIds } : mode && { mode };
}

export const siteSearchRoutes: Route[] = [
  listRoute('/v1/orgs/:organizationId/sites/:siteId/search', searchSiteContent, {
    operationId: 'searchSiteContent',
    method: 'POST',
    body,
    toInput: ({ scope, mode, siteSpaceId, siteSpaceIds, ...rest }) =>
      ({ ...rest, scope: scope ?? scopeFrom({ mode, siteSpaceId, siteSpaceIds }) }) as Parameters<
        typeof searchSiteContent
      >[1], // untrusted; the operation checks it
    response: resourceResponse(spaceResult),
    isUncounted: true,
  }),
];
