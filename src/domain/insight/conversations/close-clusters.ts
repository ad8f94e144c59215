import { sql } from 'kysely';
import { nowOf } from '../../../platform/context/context.ts';
import type { EventConsumer } from '../../../platform/events/event-consumer.ts';
import type { EventKind } from '../../../platform/events/kinds.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';

/**
 * Closes a cluster when a change request that was created for it is merged and no other is a draft or open: when one is merged, or when
 * the last of the others is archived and no question has come since the merge. Those in deleted spaces do not count.
 */
export const closeClusters: EventConsumer = {
  name: 'issues-clusters',
  begins: 'registration',
  async take(ctx, events) {
    const idsOf = (of: EventKind) =>
      events.flatMap(({ kind, ids }) =>
        kind === of && ids.changeRequestId !== undefined ? [ids.changeRequestId] : [],
      );
    const [merged, updated] = [idsOf('change_request_merged'), idsOf('change_request_updated')];
    if (merged.length === 0 && updated.length === 0) return;
    const { rows } = await sql<{ id: string; organizationId: string }>`
      update issues_cluster c set closed_at = ${nowOf(ctx)}::timestamptz
      from change_request cr
      where c.id = cr.issues_cluster_id and c.closed_at is null
        and (cr.id = any(${merged}::text[])
          or (cr.id = any(${updated}::text[]) and cr.status = 'archived' and exists (
            select from change_request m where m.issues_cluster_id = c.id and m.status = 'merged'
              and m.merged_at > coalesce(
                (select max(i.created_at) from conversation_issue i where i.cluster_id = c.id), '-infinity'))))
        and not exists (
          select from change_request o join space s on s.id = o.space_id and s.deleted_at is null
          where o.issues_cluster_id = c.id and o.status in ('draft', 'open'))
      returning c.id, c.organization_id as "organizationId"`.execute(ctx.db);
    for (const { id, organizationId } of rows) {
      await recordEvent(ctx, { kind: 'issues_cluster_closed', organizationId, ids: { clusterId: id } });
    }
  },
};
