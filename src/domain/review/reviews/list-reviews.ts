import { sql } from 'kysely';
import { z } from 'zod';
import { query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { newestFirst } from '../../../platform/paging/order.ts';
import { authorizeChangeRequest, changeRequestFor, changeRequestName } from '../../content/change-requests/index.ts';
import { permissions } from '../../people/access/index.ts';
import type { ReviewRow } from './access.ts';

const needed = permissions.listReviews.space;

/** The reviews of a change request. Does not check access. */
export const reviewsOfChangeRequest = listing<{ outdated: boolean | null }, ReviewRow>({
  name: 'changeRequest.reviews',
  from: 'review as rv',
  join: sql`join change_request cr on cr.id = rv.change_request_id`,
  parent: 'changeRequestId',
  where: ({ outdated }) => [outdated !== null && sql`(rv.revision_id <> cr.revision_id) = ${outdated}::boolean`],
  order: newestFirst,
});

export const listReviews = query({
  name: 'listReviews',
  description: 'Lists the reviews of a change request, newest first.',
  input: z.object({
    ...changeRequestName,
    outdated: z
      .boolean()
      .nullish()
      .describe('True: only reviews of earlier revisions. False: only reviews of the current revision.'),
  }),
  authorize: authorizeChangeRequest(needed),
  async run(ctx, { changeRequestId, spaceId, outdated }) {
    const { id } = await changeRequestFor(ctx, changeRequestId, needed, { spaceId });
    return reviewsOfChangeRequest(ctx, id, { outdated: outdated ?? null });
  },
});
