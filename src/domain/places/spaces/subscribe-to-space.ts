import type { Context } from '../../../platform/context/context.ts';
import { followEvents } from '../../../platform/events/follow-events.ts';
import { permissions } from '../../people/access/index.ts';
import { spaceFor } from './access.ts';

/** Events that change the settings or the primary content of a space, as long as the caller can see it. */
export const subscribeToSpace = (ctx: Context, { id, after }: { id: string; after?: string | null | undefined }) =>
  followEvents(ctx, {
    after,
    concerns: ({ spaceId, kind }) => spaceId === id && kind.startsWith('space_'),
    async authorize(fresh) {
      const { organizationId } = await spaceFor(fresh, id, permissions.getSpace.space);
      return { organizationId };
    },
  });
