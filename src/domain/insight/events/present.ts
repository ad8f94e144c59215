import { z } from 'zod';
import { eventKind } from '../../../platform/events/kinds.ts';
import type { EventRow } from '../../../platform/events/read-events.ts';
import { idIn, namedShape, objectIs, timeIn } from '../../../platform/shapes.ts';

/** An event as REST, webhooks and streams show it: ids, never content. */
export const presentEvent = ({ id, kind, organizationId, actorId, spaceId, ids, createdAt }: EventRow) => ({
  object: 'event',
  id,
  type: kind,
  ...(organizationId === null ? {} : { organization: organizationId }),
  ...(spaceId === null ? {} : { space: spaceId }),
  ...(actorId === null ? {} : { actor: actorId }),
  ids,
  createdAt,
});

export const eventShape = namedShape('Event', 'Something that happened, told by ids.', {
  object: objectIs('event'),
  id: idIn('event'),
  type: eventKind.describe('What happened.'),
  organization: idIn('org', 'The organization that it concerns.').optional(),
  space: idIn('space', 'The space that it concerns.').optional(),
  actor: z.string().optional().describe('Id of whoever did it; absent where the service did.'),
  ids: z
    .record(z.string(), z.string())
    .describe('Ids of every resource that it concerns, by the names that inputs of the graph have.'),
  createdAt: timeIn('When it happened.'),
});
