import type { Context } from '../../../platform/context/context.ts';
import { followEvents, renewContext } from '../../../platform/events/follow-events.ts';
import type { EventRow } from '../../../platform/events/read-events.ts';
import { permissions } from '../../people/access/index.ts';
import { hasRoleOnSpace, spaceFor } from './access.ts';

/**
 * Streams the events that change the settings or the primary content of a space, as long as the caller can see it.
 * Those of Git synchronization are only for callers with a role on the space, not for readers of a published site.
 */
export async function subscribeToSpace(
  ctx: Context,
  { id, after }: { id: string; after?: string | null | undefined },
): Promise<AsyncGenerator<EventRow, void>> {
  const events = await followEvents(ctx, {
    after,
    concerns: ({ spaceId, kind }) => spaceId === id && kind.startsWith('space_'),
    async authorize(fresh) {
      const { organizationId } = await spaceFor(fresh, id, permissions.getSpace.space);
      return { organizationId };
    },
  });
  return shownEvents(ctx, events, id);
}

async function* shownEvents(
  ctx: Context,
  events: AsyncGenerator<EventRow, void>,
  spaceId: string,
): AsyncGenerator<EventRow, void> {
  for await (const event of events) {
    if (!event.kind.startsWith('space_gitsync_') || (await hasRoleOnSpace(await renewContext(ctx), spaceId)))
      yield event;
  }
}
