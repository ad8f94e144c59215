import type { Context } from '../../../platform/context.ts';
import { followEvents } from '../../../platform/events/follow-events.ts';
import { permissions } from '../../people/access/index.ts';
import { spaceFor } from './access.ts';

/** The events that change a space itself, its settings or its primary content, as long as the caller may view it. */
export const subscribeToSpace = (ctx: Context, { id, after }: { id: string; after?: string | null | undefined }) =>
  followEvents(ctx, {
    after,
    concerns: ({ spaceId, kind }) => spaceId === id && kind.startsWith('space_'),
    async authorize(fresh) {
      const { organizationId } = await spaceFor(fresh, id, permissions.getSpace.space);
      return { organizationId };
    },
  });
