import { z } from 'zod';
import { badInput } from '../../../../platform/errors/errors.ts';
import { maxFittingCount } from '../result.ts';
import { listTool, UNKNOWN_CURSOR } from '../tool.ts';
import { appUrls, organizationIdInput, siteIdInput, spaceIdInput } from './names.ts';

/**
 * Maximum number of sections of a page where an item has the pages of a space, so that most items fit into a result.
 */
const MAX_SECTIONS = 2;

const pageShape = z.object({
  id: z.string().describe('ID of the page.'),
  title: z.string(),
  path: z.string(),
  urls: appUrls,
  sections: z
    .array(z.object({ title: z.string(), path: z.string(), body: z.string().describe('Excerpt.') }))
    .describe('Matching sections, up to two in an organization or a site. `path` ends with the anchor of the heading.'),
});

const itemShape = z.object({
  spaceId: z.string(),
  spaceTitle: z.string().optional(),
  pages: z.array(pageShape),
  hasMorePages: z
    .boolean()
    .optional()
    .describe('Whether more pages of the space match than fit into an answer: search in this space to see them.'),
});

export const searchTool = listTool({
  name: 'search',
  description:
    'Searches pages by words, best first, and returns excerpts with URLs to cite. In a space, each item has one page. In an organization or a site, each item has one space with its ten best pages: search in this space for the others. Read the page with getPage before you answer from it.',
  input: {
    query: z.string().min(1).max(256).describe('Words to search for.'),
    spaceId: spaceIdInput.optional(),
    organizationId: organizationIdInput.optional().describe('ID of the organization, unless `spaceId` is given.'),
    siteId: siteIdInput.optional().describe('ID of a site of the organization, to search its spaces only.'),
  },
  item: itemShape,
  list({ query, spaceId, organizationId, siteId }) {
    if ((spaceId === undefined) === (organizationId === undefined)) {
      throw badInput([], 'Send exactly one of spaceId and organizationId.', 'ONE_OF');
    }
    if (spaceId !== undefined && siteId !== undefined) {
      throw badInput(['siteId'], 'has no effect in a space. Send organizationId with it instead of spaceId.');
    }
    if (spaceId !== undefined) return ['searchSpaceContent', { params: { spaceId }, query: { query } }];
    const params = { organizationId: organizationId ?? '' };
    if (siteId === undefined) return ['searchOrganizationContent', { params, query: { query } }];
    return ['searchSiteContent', { params: { ...params, siteId }, body: { query } }];
  },
  itemOf: (row, { spaceId }) => (spaceId === undefined ? spaceItem(row) : { spaceId, pages: [row] }),
});

/** A space with as many of its pages as fit. */
function spaceItem({ id, title, pages }: Record<string, unknown>) {
  const hits = (pages as FoundPage[]).map((page) => ({ ...page, sections: page.sections.slice(0, MAX_SECTIONS) })); // the schema of spaces
  const itemWith = (count: number) =>
    itemShape.parse({
      spaceId: id,
      spaceTitle: title,
      pages: hits.slice(0, count),
      ...(count < hits.length && { hasMorePages: true }),
    });
  return itemWith(maxFittingCount(hits.length, (count) => ({ items: [itemWith(count)], nextCursor: UNKNOWN_CURSOR })));
}

interface FoundPage {
  sections: unknown[];
}
