import { actingIdOf } from '../access/actor.ts';
import { type Context, nowOf } from '../context.ts';
import { newId } from '../ids.ts';
import type { EventKind } from './kinds.ts';

/** What happened, told by ids. */
export interface NewEvent {
  kind: EventKind;
  /** Null only for what concerns no organization. */
  organizationId: string | null;
  spaceId?: string | null;
  /** Every resource that it concerns, by the names that inputs have: `{ changeRequestId, revisionId }`. */
  ids?: Record<string, string>;
}

/**
 * Records an event in the command's transaction: it is there if and only if what it tells was done. Whoever waits for
 * events is woken after the commit.
 */
export async function recordEvent(ctx: Context, event: NewEvent): Promise<void> {
  if (!ctx.inTransaction) throw new Error(`The event ${event.kind} was to be recorded outside of a command.`);
  const { kind, organizationId, spaceId = null, ids = {} } = event;
  await ctx.db
    .insertInto('event')
    .values({
      id: newId('event'),
      organizationId,
      kind,
      actorId: actingIdOf(ctx.actor) ?? null,
      spaceId,
      ids: spaceId === null ? ids : { spaceId, ...ids },
      createdAt: nowOf(ctx),
    })
    .execute();
  ctx.afterCommit?.push(() => ctx.services.eventSignal.raise());
}
