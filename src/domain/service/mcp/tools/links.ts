import { z } from 'zod';
import { holderOf, listChangeRequestLinks, listSpaceLinks, presentLocation } from '../../../content/links/index.ts';
import type { Agent } from '../agent.ts';
import { pagedTool } from '../tool.ts';
import { version } from './names.ts';

interface Named {
  id: string;
  title: string;
  path?: string;
}

/** A link of REST has no reference. This reads what it needs of the same operations. */
export const listBrokenLinksTool = pagedTool({
  name: 'listBrokenLinks',
  description:
    'Lists the links of a space or change request whose target does not exist or is not visible to you, with the page that they are on.',
  input: version,
  item: z.object({
    locationKind: z.string().describe('`page` or `reusable-content`.'),
    locationId: z.string().describe('ID of the page or reusable content with the link.'),
    title: z.string().optional().describe('Title of the page or reusable content.'),
    path: z.string().optional().describe('Path of the page.'),
    blockKey: z.string().nullable().describe('Key of the block with the link. Null for fields of a page.'),
    ref: z.unknown().describe('The reference: `{ kind, … }`.'),
  }),
  async page({ ctx }, { spaceId, changeRequestId }, { cursor, limit }) {
    const status = 'broken' as const;
    const links =
      changeRequestId === undefined
        ? await listSpaceLinks(ctx, { spaceId, status })
        : await listChangeRequestLinks(ctx, { spaceId, changeRequestId, status });
    return links.page({ size: limit, direction: 'forward', cursor });
  },
  async itemOf(link, { ctx }: Agent) {
    const { locationId: id, locationKind: kind, blockKey: node, version: of } = link;
    const { operation: _, ...ref } = link.ref;
    const location = (await presentLocation(holderOf(of, { id, kind, node }), ctx)) as
      | { page?: Named; reusableContent?: Named }
      | undefined; // a location of this kind
    const { title, path } = location?.page ?? location?.reusableContent ?? {};
    return { ...link, ref, title, path };
  },
});
