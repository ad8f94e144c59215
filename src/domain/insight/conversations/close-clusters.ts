import { sql } from 'kysely';
import type { EventConsumer } from '../../../platform/events/event-consumer.ts';
import type { EventKind } from '../../../platform/events/kinds.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { askedAt } from './store-grouping.ts';

/**
 * Closes a cluster, as of the merge, when a change request that was created for it has been merged, no question has
 * come since, and no other is a draft or open: after a merge, or after the last of the others was archived or its space
 * was deleted. Change requests in deleted spaces do not count.
 */
export const closeClusters: EventConsumer = {
  name: 'issues-clusters',
  begins: 'registration',
  async take(ctx, events) {
    const idsOf = (name: 'changeRequestId' | 'spaceId', ...kinds: EventKind[]) =>
      events.flatMap(({ kind, ids }) => (kinds.includes(kind) && ids[name] !== undefined ? [ids[name]] : []));
    const changed = idsOf('changeRequestId', 'change_request_merged', 'change_request_updated');
    const spaces = idsOf('spaceId', 'space_deleted', 'space_restored');
    if (changed.length === 0 && spaces.length === 0) return;
    const { rows } = await sql<{ id: string; organizationId: string }>`
      update issues_cluster c set closed_at = (
        select max(m.merged_at) from change_request m join space s on s.id = m.space_id and s.deleted_at is null
        where m.issues_cluster_id = c.id and m.status = 'merged')
      from change_request cr
      where c.id = cr.issues_cluster_id and c.closed_at is null
        and (cr.id = any(${changed}::text[]) or cr.space_id = any(${spaces}::text[]))
        and exists (
          select from change_request m join space s on s.id = m.space_id and s.deleted_at is null
          where m.issues_cluster_id = c.id and m.status = 'merged' and m.merged_at > coalesce((
            select max(${askedAt}) from conversation_issue i where i.cluster_id = c.id), '-infinity'))
        and not exists (
          select from change_request o join space s on s.id = o.space_id and s.deleted_at is null
          where o.issues_cluster_id = c.id and o.status in ('draft', 'open'))
      returning c.id, c.organization_id as "organizationId"`.execute(ctx.db);
    for (const { id, organizationId } of rows) {
      await recordEvent(ctx, { kind: 'issues_cluster_closed', organizationId, ids: { clusterId: id } });
    }
  },
};
