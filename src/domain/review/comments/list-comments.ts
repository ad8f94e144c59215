import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { idOf, query } from '../../../platform/operation.ts';
import { listing, type OrderPart } from '../../../platform/paging/listing.ts';
import { orderDirection } from '../../../platform/paging/order-direction.ts';
import type { Listed } from '../../../platform/paging/page.ts';
import { permissions } from '../../people/access/index.ts';
import { discussionFor, discussionName, discussionOfIds, showsComments } from './access.ts';
import { type CommentRow, commentColumns } from './columns.ts';
import { commentOrderField, commentStatusFilter } from './enums.ts';

const needed = permissions.listComments.space;

const order = z
  .object({
    field: commentOrderField.describe('What they are sorted by.'),
    direction: orderDirection.describe('Which way.'),
  })
  .meta({ inputName: 'CommentOrder', description: 'How comments are sorted.' });

/** What lists of comments can be narrowed by, and their order. */
const choiceInput = {
  orderBy: order.nullish().describe('How they are sorted. Default: the newest first.'),
  status: commentStatusFilter.nullish().describe('Only those of this status. Default: all of them.'),
  targetPage: idOf('page').nullish().describe('Only those on this page, which may be gone.'),
  authors: z.array(idOf('user')).max(100).nullish().describe('Only those that one of these users posted, up to 100.'),
};

/** Choices in a form where the same choice is always written the same, since cursors are bound to it. */
interface Choice {
  direction: z.output<typeof orderDirection>;
  status: z.output<typeof commentStatusFilter>;
  targetPage?: string | undefined;
  authors?: string[] | undefined;
}

type Given = { [Name in keyof typeof choiceInput]?: z.output<(typeof choiceInput)[Name]> };

export const choiceOf = ({ orderBy, status, targetPage, authors }: Given): Choice => ({
  direction: orderBy?.direction ?? 'desc',
  status: status ?? 'all',
  targetPage: targetPage ?? undefined,
  authors: authors?.length ? authors.toSorted() : undefined,
});

const byPosting = ({ direction }: Choice): OrderPart<CommentRow>[] => [
  { by: sql`c.posted_at`, key: 'postedAt', direction, type: 'timestamptz' },
  { by: sql`c.id`, key: 'id', direction, type: 'text' },
];

function passes({ status, targetPage, authors }: Choice): RawBuilder<unknown> {
  const isStatus = { all: sql``, open: sql`and c.resolved_at is null`, resolved: sql`and c.resolved_at is not null` };
  return sql`${isStatus[status]}
    ${targetPage === undefined ? sql`` : sql`and c.page_id = ${targetPage}`}
    ${authors === undefined ? sql`` : sql`and c.posted_by = any(${authors}::text[])`}`;
}

/** The comments on the primary content of a space; none for those whom only a published site admits to it. */
export const commentsOfSpace = listing<Choice, CommentRow>({
  name: 'space.comments',
  select: commentColumns,
  // The space is looked at once, apart from the rows, which so come in the order of an index.
  from: (spaceId, choice, ctx) => sql`
    from comment c
    where c.space_id = ${spaceId} and c.change_request_id is null ${passes(choice)}
      and exists (select from space s where s.id = ${spaceId} and ${showsComments(ctx)})`,
  order: byPosting,
});

/** The comments on a change request, for a caller who may read it. */
export const commentsOfChangeRequest = listing<Choice, CommentRow>({
  name: 'changeRequest.comments',
  select: commentColumns,
  from: (changeRequestId, choice) => sql`
    from comment c where c.change_request_id = ${changeRequestId} ${passes(choice)}`,
  order: byPosting,
});

export const listComments = query({
  name: 'listComments',
  description: 'The comments on the primary content of a space, or on a change request, the newest first.',
  input: z.object({ ...discussionName, ...choiceInput }),
  authorize: (ctx, ids) => discussionFor(ctx, discussionOfIds(ids), needed),
  async run(ctx: Context, { spaceId, changeRequestId, ...given }): Promise<Listed<CommentRow>> {
    const found = await discussionFor(ctx, { spaceId, changeRequestId }, needed);
    return found.changeRequestId === null
      ? commentsOfSpace(ctx, found.spaceId, choiceOf(given))
      : commentsOfChangeRequest(ctx, found.changeRequestId, choiceOf(given));
  },
});
