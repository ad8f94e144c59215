import { sql } from 'kysely';
import { z } from 'zod';
import { badInput } from '../../../platform/errors/errors.ts';
import { auditedKinds, isAudited } from '../../../platform/events/audited.ts';
import { type EventKind, eventKind } from '../../../platform/events/kinds.ts';
import { isSettled } from '../../../platform/events/read-events.ts';
import { idOf } from '../../../platform/operation/operation.ts';
import { type EventFilters, eventConditions, eventFilters, toEventFilters } from './filters.ts';

/** Input of operations on the audited events of an organization. */
export const auditInput = z.object({
  organizationId: idOf('org'),
  kind: eventKind
    .nullish()
    .describe('Only events of this kind: the action. BAD_USER_INPUT if events of the kind are not audited.'),
  ...eventFilters,
});

export interface AuditFilters extends EventFilters {
  kind: EventKind | null;
}

/** The filters of an input. BAD_USER_INPUT for a kind that is not audited, and for a resource that is not an id. */
export function auditFilters({
  kind = null,
  ...filters
}: Partial<Omit<z.output<typeof auditInput>, 'organizationId'>>): AuditFilters {
  if (kind !== null && !isAudited(kind))
    throw badInput(['kind'], `Events of the kind "${kind}" are not audited. Read them from the list of all events.`);
  return { ...toEventFilters(filters), kind };
}

/** The conditions that an event `e` is audited, settled and passes the filters. */
export const passesAudit = ({ kind, ...filters }: AuditFilters) => [
  isSettled,
  sql`e.kind = any(${kind === null ? auditedKinds : [kind]}::text[])`,
  ...eventConditions(filters),
];
