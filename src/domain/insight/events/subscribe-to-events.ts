import { requireScope } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { followEvents } from '../../../platform/events/follow-events.ts';
import { assertAdmin } from '../../people/access/index.ts';

/** The events of an organization as they are recorded, for its admins. Starts after the event `after`, if given. */
export const subscribeToEvents = (
  ctx: Context,
  { organizationId, after }: { organizationId: string; after?: string | null | undefined },
) =>
  followEvents(ctx, {
    after,
    async authorize(fresh) {
      requireScope(fresh.actor, 'admin');
      await assertAdmin(fresh, organizationId);
      return { organizationId };
    },
  });
