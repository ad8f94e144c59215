import { sql } from 'kysely';
import { nowOf } from '../../../platform/context/context.ts';
import type { EventConsumer } from '../../../platform/events/event-consumer.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';

/** Closes a cluster when a change request that was created for it is merged and no other is a draft or open. */
export const closeClusters: EventConsumer = {
  name: 'issues-clusters',
  begins: 'registration',
  async take(ctx, events) {
    const merged = events.flatMap(({ kind, ids }) =>
      kind === 'change_request_merged' && ids.changeRequestId !== undefined ? [ids.changeRequestId] : [],
    );
    if (merged.length === 0) return;
    const { rows } = await sql<{ id: string; organizationId: string }>`
      update issues_cluster c set closed_at = ${nowOf(ctx)}::timestamptz
      from change_request m
      where m.id = any(${merged}::text[]) and c.id = m.issues_cluster_id and c.closed_at is null
        and not exists (select from change_request o where o.issues_cluster_id = c.id and o.status in ('draft', 'open'))
      returning c.id, c.organization_id as "organizationId"`.execute(ctx.db);
    for (const { id, organizationId } of rows) {
      await recordEvent(ctx, { kind: 'issues_cluster_closed', organizationId, ids: { clusterId: id } });
    }
  },
};
