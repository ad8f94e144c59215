import type { Context } from '../../../platform/context/context.ts';
import { followEvents } from '../../../platform/events/follow-events.ts';
import { permissions } from '../../people/access/index.ts';
import { changeRequestFor } from './access.ts';

/** Streams the events of one change request while the caller may read it. */
export const subscribeToChangeRequest = (
  ctx: Context,
  { id, after }: { id: string; after?: string | null | undefined },
) =>
  followEvents(ctx, {
    after,
    concerns: ({ ids }) => ids.changeRequestId === id,
    async authorize(fresh) {
      const { organizationId } = await changeRequestFor(fresh, id, permissions.getChangeRequest.space);
      return { organizationId };
    },
  });
