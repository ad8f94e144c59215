import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { type EventKind, eventKind } from '../../../platform/events/kinds.ts';
import { type EventRow, isSettled } from '../../../platform/events/read-events.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { asc } from '../../../platform/paging/order.ts';
import { assertAdmin } from '../../people/access/index.ts';
import { type EventFilters, eventConditions, eventFilters, toEventFilters } from './filters.ts';

interface Filters extends EventFilters {
  kind: EventKind | null;
  spaceId: string | null;
  sinceId: string | null;
}

/**
 * In the order in which transactions began to write. Those that may still come are shown after all that are, so that a
 * client that has read up to an event has missed none before it.
 */
const eventsOfOrganization = listing<Filters, EventRow>({
  name: 'organization.events',
  from: 'event as e',
  parent: 'organizationId',
  where: ({ kind, spaceId, sinceId, ...filters }) => [
    isSettled,
    ...eventConditions(filters),
    kind !== null && sql`e.kind = ${kind}`,
    spaceId !== null && sql`e.space_id = ${spaceId}`,
    sinceId !== null &&
      sql`(e.transaction_id, e.id) > (select s.transaction_id, s.id from event s where s.id = ${sinceId})`,
  ],
  order: [asc('transactionId', 'xid8'), asc('id')],
});

export const listEvents = query({
  name: 'listEvents',
  scope: 'admin',
  description:
    'Lists the events of an organization, oldest first. All readers see them in the same order, and no event appears before one that was shown. ' +
    'The events of commands that ran at the same time can have either order: edits of one space are linked by `revisionId` and `previousRevisionId`. ' +
    'Only for admins of the organization. ' +
    'An event appears once all transactions that started before it have ended, usually within milliseconds.',
  input: z.object({
    organizationId: idOf('org'),
    kind: eventKind.nullish().describe('Only events of this kind.'),
    spaceId: idOf('space').nullish().describe('Only events of this space, even if the space no longer exists.'),
    ...eventFilters,
    sinceId: idOf('event')
      .nullish()
      .describe(
        'ID of an event, usually the last one that you received. Only events after it. BAD_USER_INPUT if it is not an event of the organization.',
      ),
  }),
  authorize: (ctx, { organizationId = '' }) => assertAdmin(ctx, organizationId),
  async run(ctx, { organizationId, ...input }) {
    await assertAdmin(ctx, organizationId);
    const { kind = null, spaceId = null, sinceId = null } = input;
    if (sinceId !== null) await rejectForeign(ctx, organizationId, sinceId);
    const filters = { ...toEventFilters(input), kind, spaceId, sinceId };
    return eventsOfOrganization(ctx, organizationId, filters);
  },
});

async function rejectForeign({ db }: Context, organizationId: string, sinceId: string): Promise<void> {
  const row = await db
    .selectFrom('event')
    .where('id', '=', sinceId)
    .where('organizationId', '=', organizationId)
    .select('id')
    .executeTakeFirst();
  if (!row) throw badInput(['sinceId'], `Event "${sinceId}" does not exist in this organization.`, 'NOT_FOUND');
}
