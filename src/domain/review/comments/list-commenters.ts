import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { onlySpacesOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { desc } from '../../../platform/paging/order.ts';
import { permissions } from '../../people/access/index.ts';
import { isMemberVisible, type ListedMember } from '../../people/members/index.ts';
import { discussionFor, discussionName, discussionOfIds, showsComments } from './access.ts';

const needed = permissions.listCommenters.space;

/** As in other lists of members. */
const latestToJoinFirst = [desc('joinedAt', 'timestamptz'), desc('id')];

/** A subquery that does not depend on the member, so that it runs once. */
const wrote = (place: RawBuilder<unknown>) => sql`mb.user_id in (
  select c.posted_by from comment c where ${place}
  union select c.posted_by from comment_reply c where ${place})`;

/** Applications that are limited to spaces see no members. The comments show who wrote them. */
const hasMembers = ({ actor }: Context) => onlySpacesOf(actor) !== undefined && sql`false`;

/** The columns of a member. Guests see the authors of comments, but not what other lists of members hide from them. */
const asSeen = (_args: object, { ctx }: { ctx: Context }) =>
  sql`mb.*, not ${isMemberVisible(ctx.actor, 'mb')} as hides_details`;

/**
 * Members who commented on the primary content of a space. Empty if the caller can see the space only through a
 * published site.
 */
export const commentersOfSpace = listing<object, ListedMember>({
  name: 'space.commenters',
  from: 'membership as mb',
  join: sql`join space s on s.organization_id = mb.organization_id`,
  select: asSeen,
  parent: 's.id',
  where: (_args, { ctx }) => [
    hasMembers(ctx),
    showsComments(ctx),
    wrote(sql`c.space_id = parent.id and c.change_request_id is null`),
  ],
  order: latestToJoinFirst,
});

/** Members who commented on a change request. Does not check access. */
export const commentersOfChangeRequest = listing<object, ListedMember>({
  name: 'changeRequest.commenters',
  from: 'membership as mb',
  join: sql`join change_request cr on cr.organization_id = mb.organization_id`,
  select: asSeen,
  parent: 'cr.id',
  where: (_args, { ctx }) => [
    hasMembers(ctx),
    wrote(sql`c.space_id = cr.space_id and c.change_request_id = parent.id`),
  ],
  order: latestToJoinFirst,
});

export const listCommenters = query({
  name: 'listCommenters',
  description:
    'Lists the members who posted comments or replies on the primary content of a space or on a change request, most recently ' +
    'joined first. Guests see who they are, but neither addresses and sign-ins nor teams and spaces. None for an application that is ' +
    'limited to spaces.',
  input: z.object(discussionName),
  authorize: (ctx, ids) => discussionFor(ctx, discussionOfIds(ids), needed),
  async run(ctx, name) {
    const discussion = await discussionFor(ctx, name, needed);
    return discussion.changeRequestId === null
      ? commentersOfSpace(ctx, discussion.spaceId, {})
      : commentersOfChangeRequest(ctx, discussion.changeRequestId, {});
  },
});
