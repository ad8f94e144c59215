import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { query } from '../../../platform/operation.ts';
import { listing, type OrderPart } from '../../../platform/paging/listing.ts';
import { permissions } from '../../people/access/index.ts';
import type { MemberRow } from '../../people/members/index.ts';
import { discussionFor, discussionName, discussionOfIds, showsComments } from './access.ts';

const needed = permissions.listCommenters.space;

/** Most recently joined first, as in other lists of members. */
const byJoining: OrderPart<MemberRow>[] = [
  { by: sql`mb.joined_at`, key: 'joinedAt', direction: 'desc', type: 'timestamptz' },
  { by: sql`mb.id`, key: 'id', direction: 'desc', type: 'text' },
];

/** A subquery that does not depend on the member, so that it runs once. */
const wrote = (place: RawBuilder<boolean>) => sql`mb.user_id in (
  select c.posted_by from comment c where ${place}
  union select c.posted_by from comment_reply c where ${place})`;

/** Members who commented on the primary content of a space. Empty if the caller can see the space only through a published site. */
export const commentersOfSpace = listing<object, MemberRow>({
  name: 'space.commenters',
  select: sql`mb.*`,
  from: (spaceId, _args, ctx) => sql`
    from space s join membership mb on mb.organization_id = s.organization_id
    where s.id = ${spaceId} and ${showsComments(ctx)}
      and ${wrote(sql<boolean>`c.space_id = ${spaceId} and c.change_request_id is null`)}`,
  order: () => byJoining,
});

/** Members who commented on a change request. Does not check access. */
export const commentersOfChangeRequest = listing<object, MemberRow>({
  name: 'changeRequest.commenters',
  select: sql`mb.*`,
  from: (changeRequestId) => sql`
    from change_request cr join membership mb on mb.organization_id = cr.organization_id
    where cr.id = ${changeRequestId}
      and ${wrote(sql<boolean>`c.space_id = cr.space_id and c.change_request_id = ${changeRequestId}`)}`,
  order: () => byJoining,
});

export const listCommenters = query({
  name: 'listCommenters',
  description:
    'Lists the members who posted comments or replies on the primary content of a space or on a change request, most recently ' +
    'joined first.',
  input: z.object(discussionName),
  authorize: (ctx, ids) => discussionFor(ctx, discussionOfIds(ids), needed),
  async run(ctx, name) {
    const found = await discussionFor(ctx, name, needed);
    return found.changeRequestId === null
      ? commentersOfSpace(ctx, found.spaceId, {})
      : commentersOfChangeRequest(ctx, found.changeRequestId, {});
  },
});
