import type { Context } from '../context/context.ts';
import { badInput, unauthenticated } from '../errors/errors.ts';
import { chargeStream, eventStream } from './event-stream.ts';
import type { EventKind } from './kinds.ts';
import { type EventRow, endOfEvents, positionOfEvent } from './read-events.ts';

export interface Followed {
  /**
   * Throws if the caller cannot read the events, else returns their organization, which changes with a transfer. Called
   * for each event that is delivered, and for those that may change the access, in a fresh context with a newly
   * authenticated caller.
   */
  authorize(ctx: Context): Promise<{ organizationId: string }>;
  /** The stream starts after this event. `Last-Event-ID` takes precedence. */
  after?: string | null | undefined;
  /** Default: all events of the organization. */
  concerns?(event: EventRow): boolean;
}

/**
 * A fresh context with the caller of a stream, authenticated again: nothing that was loaded or allowed before counts.
 */
export const renewContext = async (ctx: Context): Promise<Context> => (ctx.stream ? ctx.stream.renew() : { ...ctx });

/** Kinds of events that may change who can read what. */
const CHANGES_ACCESS: ReadonlySet<EventKind> = new Set([
  'organization_updated',
  'member_updated',
  'member_removed',
  'team_deleted',
  'team_members_updated',
  'permission_granted',
  'permission_revoked',
  'collection_updated',
  'collection_moved',
  'collection_transferred',
  'collection_deleted',
  'space_updated',
  'space_deleted',
  'space_moved',
  'space_transferred',
]);

/** In objects that are read: the caller, and what is followed. */
const COST_OF_AUTHORIZATION = 2;

/**
 * Events as they are recorded, until `authorize` throws. By default, starts with new events. BAD_USER_INPUT if the
 * organization has no event `after`.
 */
export async function followEvents(
  ctx: Context,
  { authorize, after, concerns = () => true }: Followed,
): Promise<AsyncGenerator<EventRow, void>> {
  if (ctx.actor.kind === 'anonymous') throw unauthenticated();
  let { organizationId } = await authorize(await renewContext(ctx));
  const lastId = ctx.stream?.lastEventId ?? after;
  const position = lastId == null ? await endOfEvents(ctx.db) : await positionOfEvent(ctx.db, organizationId, lastId);
  if (!position) throw badInput(['after'], `Event "${lastId?.slice(0, 100)}" does not exist.`, 'NOT_FOUND');
  const signal = ctx.stream?.signal ?? AbortSignal.abort();
  ctx.stream?.begin();
  const events = eventStream(ctx, { organizationsOf: () => [organizationId], after: position, signal });
  return delivered();

  async function* delivered(): AsyncGenerator<EventRow, void> {
    for await (const event of events) {
      const isDelivered = concerns(event);
      if (!isDelivered && !CHANGES_ACCESS.has(event.kind)) continue;
      // What is delivered is charged by its subscription.
      if (!isDelivered) await chargeStream(ctx, COST_OF_AUTHORIZATION, signal);
      ({ organizationId } = await authorize(await renewContext(ctx)));
      if (isDelivered) yield event;
    }
  }
}
