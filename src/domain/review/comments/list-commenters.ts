import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { query } from '../../../platform/operation.ts';
import { listing, type OrderPart } from '../../../platform/paging/listing.ts';
import { permissions } from '../../people/access/index.ts';
import type { MemberRow } from '../../people/members/index.ts';
import { discussionFor, discussionName, discussionOfIds, showsComments } from './access.ts';

const needed = permissions.listCommenters.space;

/** As members are listed everywhere: who joined last is first. */
const byJoining: OrderPart<MemberRow>[] = [
  { by: sql`mb.joined_at`, key: 'joinedAt', direction: 'desc', type: 'timestamptz' },
  { by: sql`mb.id`, key: 'id', direction: 'desc', type: 'text' },
];

/** The authors are found once for the list, and not for each member. */
const wrote = (place: RawBuilder<boolean>) => sql`mb.user_id in (
  select c.posted_by from comment c where ${place}
  union select c.posted_by from comment_reply c where ${place})`;

/** The members who wrote on the primary content of a space; none for those whom only a published site admits to it. */
export const commentersOfSpace = listing<object, MemberRow>({
  name: 'space.commenters',
  select: sql`mb.*`,
  from: (spaceId, _args, ctx) => sql`
    from space s join membership mb on mb.organization_id = s.organization_id
    where s.id = ${spaceId} and ${showsComments(ctx)}
      and ${wrote(sql<boolean>`c.space_id = ${spaceId} and c.change_request_id is null`)}`,
  order: () => byJoining,
});

/** The members who wrote on a change request, for a caller who may read it. */
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
    'The members who wrote a comment or a reply on the primary content of a space, or on a change request. Who joined ' +
    'the organization last is first.',
  input: z.object(discussionName),
  authorize: (ctx, ids) => discussionFor(ctx, discussionOfIds(ids), needed),
  async run(ctx, name) {
    const found = await discussionFor(ctx, name, needed);
    return found.changeRequestId === null
      ? commentersOfSpace(ctx, found.spaceId, {})
      : commentersOfChangeRequest(ctx, found.changeRequestId, {});
  },
});
