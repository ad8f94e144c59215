import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { sortBy } from '../../../platform/paging/order.ts';
import { type orderDirection, orderInput } from '../../../platform/paging/order-by.ts';
import type { Listed } from '../../../platform/paging/page.ts';
import { permissions, spaceLists } from '../../people/access/index.ts';
import { discussionFor, discussionName, discussionOfIds } from './access.ts';
import { type CommentRow, commentColumns } from './columns.ts';
import { commentOrderField, commentStatusFilter } from './enums.ts';

const needed = permissions.listComments.space;

const order = orderInput('CommentOrder', 'Sort order of comments.', commentOrderField);

/** Filters and sort order of lists of comments. */
const choiceInput = {
  orderBy: order.nullish().describe('Sort order. Default: newest first.'),
  status: commentStatusFilter.nullish().describe('Only comments with this status. Default: comments of any status.'),
  targetPage: idOf('page').nullish().describe('Only comments on this page, even if it was deleted.'),
  authors: z
    .array(idOf('user'))
    .max(100)
    .nullish()
    .describe('Only comments posted by one of these users. Up to 100 IDs.'),
};

/** Normalized filters and order. Cursors are bound to them, so equal choices must be equal as JSON. */
interface Choice {
  direction: z.output<typeof orderDirection>;
  status: z.output<typeof commentStatusFilter>;
  targetPage?: string | undefined;
  authors?: string[] | undefined;
}

type ChoiceInput = { [Name in keyof typeof choiceInput]?: z.output<(typeof choiceInput)[Name]> };

export const commentListOptions = ({ orderBy, status, targetPage, authors }: ChoiceInput): Choice => ({
  direction: orderBy?.direction ?? 'desc',
  status: status ?? 'all',
  targetPage: targetPage ?? undefined,
  authors: authors?.length ? authors.toSorted() : undefined,
});

const byPosting = ({ direction }: Choice) => [sortBy('postedAt', direction, 'timestamptz'), sortBy('id', direction)];

const passes = ({ status, targetPage, authors }: Choice) => [
  status === 'open' && sql`c.resolved_at is null`,
  status === 'resolved' && sql`c.resolved_at is not null`,
  targetPage !== undefined && sql`c.page_id = ${targetPage}`,
  authors !== undefined && sql`c.posted_by = any(${authors}::text[])`,
];

/** Comments on the primary content of a space. Empty if the caller can see the space only through a published site. */
export const commentsOfSpace = listing<Choice, CommentRow>({
  name: 'space.comments',
  from: 'comment as c',
  select: commentColumns,
  parent: 'spaceId',
  where: (choice) => [sql`c.change_request_id is null`, ...passes(choice)],
  order: byPosting,
  access: spaceLists(permissions.listComments.space),
  isShared: true,
});

/** Comments on a change request. Does not check access. */
export const commentsOfChangeRequest = listing<Choice, CommentRow>({
  name: 'changeRequest.comments',
  from: 'comment as c',
  select: commentColumns,
  parent: 'changeRequestId',
  where: passes,
  order: byPosting,
  isShared: true,
});

export const listComments = query({
  name: 'listComments',
  description: 'Lists the comments on the primary content of a space or on a change request, newest first.',
  input: z.object({ ...discussionName, ...choiceInput }),
  authorize: (ctx, ids) => discussionFor(ctx, discussionOfIds(ids), needed),
  async run(ctx: Context, { spaceId, changeRequestId, ...choice }): Promise<Listed<CommentRow>> {
    const discussion = await discussionFor(ctx, { spaceId, changeRequestId }, needed);
    return discussion.changeRequestId === null
      ? commentsOfSpace(ctx, discussion.spaceId, commentListOptions(choice))
      : commentsOfChangeRequest(ctx, discussion.changeRequestId, commentListOptions(choice));
  },
});
