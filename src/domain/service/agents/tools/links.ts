import { z } from 'zod';
import { listChangeRequestLinks, listSpaceLinks } from '../../../content/links/index.ts';
import { pagedTool } from '../tool.ts';
import { version } from './names.ts';

export const listBrokenLinks = pagedTool({
  name: 'listBrokenLinks',
  description:
    'Lists the links of a space or change request whose target does not exist or is not visible to you, with the page that they are on.',
  input: version,
  item: z.object({
    locationKind: z.string().describe('`page` or `reusable-content`.'),
    locationId: z.string().describe('ID of the page or reusable content with the link.'),
    blockKey: z.string().nullable().describe('Key of the block with the link. Null for fields of a page.'),
    ref: z.unknown().describe('The reference: `{ kind, … }`.'),
  }),
  async page({ ctx }, { spaceId, changeRequestId }, { cursor, limit }) {
    const status = 'broken' as const;
    const links =
      changeRequestId === undefined
        ? await listSpaceLinks(ctx, { spaceId, status })
        : await listChangeRequestLinks(ctx, { spaceId, changeRequestId, status });
    const { rows, hasNext, cursorOf } = await links.page({ size: limit, direction: 'forward', cursor });
    const last = rows.at(-1);
    return { items: rows, nextCursor: hasNext && last ? cursorOf(last) : undefined };
  },
});
