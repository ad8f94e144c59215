import type { EventRow } from '../../platform/events/read-events.ts';

/** An event as REST, webhooks and streams show it: ids, never content. */
export const presentEvent = ({ id, kind, organization_id, actor_id, space_id, ids, created_at }: EventRow) => ({
  object: 'event',
  id,
  type: kind,
  ...(organization_id === null ? {} : { organization: organization_id }),
  ...(space_id === null ? {} : { space: space_id }),
  ...(actor_id === null ? {} : { actor: actor_id }),
  ids,
  createdAt: created_at,
});
