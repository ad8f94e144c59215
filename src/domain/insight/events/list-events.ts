import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { badInput } from '../../../platform/errors.ts';
import { type EventKind, eventKind } from '../../../platform/events/kinds.ts';
import { type EventRow, isSettled } from '../../../platform/events/read-events.ts';
import { idOf, query } from '../../../platform/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { administers } from '../../people/access/index.ts';

interface Filters {
  kind: EventKind | null;
  spaceId: string | null;
  sinceId: string | null;
}

/** In the order of commits, so that a client that has read up to an event has missed none before it. */
const eventsOfOrganization = listing<Filters, EventRow>({
  name: 'organization.events',
  select: sql`e.*`,
  from: (organizationId, filters) => sql`
    from event e where e.organization_id = ${organizationId} and ${isSettled} ${passes(filters)}`,
  order: () => [
    { by: sql`e.transaction_id`, key: 'transactionId', direction: 'asc', type: 'xid8' },
    { by: sql`e.id`, key: 'id', direction: 'asc', type: 'text' },
  ],
});

export const listEvents = query({
  name: 'listEvents',
  description:
    'Lists the events of an organization, oldest first, in the order in which they were committed. Only for admins of the organization. ' +
    'An event appears once all transactions that started before it have ended, usually within milliseconds.',
  input: z.object({
    organizationId: idOf('org'),
    kind: eventKind.nullish().describe('Only events of this kind.'),
    spaceId: idOf('space').nullish().describe('Only events of this space, even if the space no longer exists.'),
    sinceId: idOf('event')
      .nullish()
      .describe(
        'ID of an event, usually the last one that you received. Only events after it. BAD_USER_INPUT if it is not an event of the organization.',
      ),
  }),
  authorize: (ctx, { organizationId = '' }) => administers(ctx, organizationId),
  async run(ctx, { organizationId, kind = null, spaceId = null, sinceId = null }) {
    await administers(ctx, organizationId);
    if (sinceId !== null) await rejectForeign(ctx, organizationId, sinceId);
    return eventsOfOrganization(ctx, organizationId, { kind, spaceId, sinceId });
  },
});

function passes({ kind, spaceId, sinceId }: Filters): RawBuilder<unknown> {
  return sql`
    ${kind === null ? sql`` : sql`and e.kind = ${kind}`}
    ${spaceId === null ? sql`` : sql`and e.space_id = ${spaceId}`}
    ${sinceId === null ? sql`` : sql`and (e.transaction_id, e.id) > (select s.transaction_id, s.id from event s where s.id = ${sinceId})`}`;
}

async function rejectForeign({ db }: Context, organizationId: string, sinceId: string): Promise<void> {
  const found = await db
    .selectFrom('event')
    .where('id', '=', sinceId)
    .where('organizationId', '=', organizationId)
    .select('id')
    .executeTakeFirst();
  if (!found) throw badInput(['sinceId'], `Event "${sinceId}" does not exist in this organization.`);
}
