import type { Context } from '../../../platform/context/context.ts';
import type { EventRow } from '../../../platform/events/read-events.ts';
import { findById } from '../../../platform/ids/find-by-id.ts';
import { prefixOf } from '../../../platform/ids/ids.ts';

/** A resource that an event concerns. */
export interface EventReference {
  name: string;
  resourceId: string;
}

/** The resources of an event, in the order of `ids`. Leaves out members of `ids` that are no ids, such as counts. */
export const eventReferences = ({ ids }: Pick<EventRow, 'ids'>): EventReference[] =>
  Object.entries(ids)
    .filter(([, id]) => prefixOf(id) !== undefined)
    .map(([name, resourceId]) => ({ name, resourceId }));

/** The resource as it is now, batched. Null if it no longer exists or the caller cannot see it. */
export const referencedNode = async (ctx: Context, { resourceId }: EventReference): Promise<unknown> =>
  (await findById(ctx, resourceId)) ?? null;
