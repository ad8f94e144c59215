import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { asc } from '../../../platform/paging/order.ts';
import type { Listed } from '../../../platform/paging/page.ts';
import { authorizeChangeRequest, changeRequestFor, changeRequestName } from '../../content/change-requests/index.ts';
import { permissions } from '../../people/access/index.ts';
import { loadUser, type VisibleUser } from '../../people/users/index.ts';

const needed = permissions.listRequestedReviewers.space;

type Request = Row<'requested_reviewer'>;

/** A user with the request to review. */
export type ReviewerWithRequest = VisibleUser & { request: Request };

const requests = listing<object, Request>({
  name: 'changeRequest.requestedReviewers',
  from: 'requested_reviewer as rr',
  parent: 'changeRequestId',
  order: [asc('createdAt', 'timestamptz'), asc('userId')],
});

/** The requested reviewers of a change request. Does not check access. */
export function requestedReviewersOf(ctx: Context, changeRequestId: string): Listed<ReviewerWithRequest> {
  const listed = requests(ctx, changeRequestId, {});
  return {
    total: listed.total,
    async page(paging) {
      const page = await listed.page(paging);
      const users = await Promise.all(page.rows.map(({ userId }) => loadUser(ctx, userId)));
      const rows = page.rows.flatMap((request, index) => {
        const user = users[index];
        return user ? [{ ...user, request }] : [];
      });
      return { ...page, rows, cursorOf: ({ request }) => page.cursorOf(request) };
    },
  };
}

export const listRequestedReviewers = query({
  name: 'listRequestedReviewers',
  description: 'Lists the users who were asked to review a change request, earliest request first.',
  input: z.object(changeRequestName),
  authorize: authorizeChangeRequest(needed),
  async run(ctx, { changeRequestId, spaceId }) {
    const { id } = await changeRequestFor(ctx, changeRequestId, needed, { spaceId });
    return requestedReviewersOf(ctx, id);
  },
});
