import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { desc } from '../../../platform/paging/order.ts';
import type { Listed } from '../../../platform/paging/page.ts';
import { permissions } from '../../people/access/index.ts';
import { loadUser, type VisibleUser } from '../../people/users/index.ts';
import { authorizeChangeRequest, changeRequestFor } from './access.ts';
import { changeRequestName } from './get-change-request.ts';

const needed = permissions.listChangeRequestContributors.space;

/** The contributions of one user to a change request. */
interface Contribution extends Record<string, unknown> {
  id: string;
  /** Time of the latest revision, or of creating the change request if there is none. */
  contributedAt: string;
  revisions: number;
}

export type Contributor = VisibleUser & Contribution;

const contributions = listing<object, Contribution>({
  name: 'changeRequest.contributors',
  from: sql`(
    select w.id, max(w.at) as contributed_at, sum(w.revisions)::int as revisions
    from (
      select cr.created_by as id, cr.created_at as at, 0 as revisions from change_request cr where cr.id = parent.id
      union all
      select r.created_by, r.created_at, 1 from revision r where r.change_request_id = parent.id
    ) w
    where w.id is not null
    group by w.id
  ) k`,
  select: sql`k.*`,
  order: [desc('contributedAt', 'timestamptz', 'k.contributedAt'), desc('id', 'text', 'k.id')],
});

/** The creator of a change request and the authors of its revisions. Does not check access. */
export function contributorsOf(ctx: Context, changeRequestId: string): Listed<Contributor> {
  const listed = contributions(ctx, changeRequestId, {});
  return {
    total: listed.total,
    async page(paging) {
      const page = await listed.page(paging);
      const users = await Promise.all(page.rows.map(({ id }) => loadUser(ctx, id)));
      const rows = users.flatMap((user, index) => (user ? [{ ...user, ...page.rows[index] } as Contributor] : [])); // same index
      return { ...page, rows };
    },
  };
}

export const listChangeRequestContributors = query({
  name: 'listChangeRequestContributors',
  description: 'Lists the users who created a change request or edited its content, most recent contribution first.',
  input: z.object(changeRequestName),
  authorize: authorizeChangeRequest(needed),
  async run(ctx, { changeRequestId, spaceId }) {
    const { id } = await changeRequestFor(ctx, changeRequestId, needed, { spaceId });
    return contributorsOf(ctx, id);
  },
});
