import { z } from 'zod';
import { badInput } from '../../../../platform/errors/errors.ts';
import { listTool } from '../tool.ts';
import { appUrls, organizationId, spaceId } from './names.ts';

const pageShape = z.object({
  id: z.string().describe('ID of the page.'),
  title: z.string(),
  path: z.string(),
  urls: appUrls,
  sections: z
    .array(z.object({ title: z.string(), path: z.string(), body: z.string().describe('Excerpt.') }))
    .describe('Matching sections. `path` ends with the anchor of the heading.'),
});

export const search = listTool({
  name: 'search',
  description:
    'Searches pages by words, best first: in a space, in the spaces of a site, or in all spaces of an organization. Returns excerpts with URLs to cite. Read the page with getPage before you answer from it.',
  input: {
    query: z.string().min(1).max(256).describe('Words to search for.'),
    spaceId: spaceId.optional(),
    organizationId: organizationId.optional().describe('ID of the organization, unless `spaceId` is given.'),
    siteId: z.string().max(200).optional().describe('ID of a site of the organization, to search its spaces only.'),
  },
  item: z.object({ spaceId: z.string(), spaceTitle: z.string().optional(), pages: z.array(pageShape) }),
  list({ query, spaceId, organizationId, siteId }) {
    if ((spaceId === undefined) === (organizationId === undefined)) {
      throw badInput([], 'Send exactly one of spaceId and organizationId.', 'ONE_OF');
    }
    if (spaceId !== undefined) return ['searchSpaceContent', { params: { spaceId }, query: { query } }];
    const params = { organizationId: organizationId ?? '' };
    if (siteId === undefined) return ['searchOrganizationContent', { params, query: { query } }];
    return ['searchSiteContent', { params: { ...params, siteId }, body: { query } }];
  },
  itemOf: (row, { spaceId }) =>
    spaceId === undefined ? { ...row, spaceId: row.id, spaceTitle: row.title } : { spaceId, pages: [row] },
});
