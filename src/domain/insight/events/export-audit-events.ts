import { Readable } from 'node:stream';
import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import type { EventPosition, EventRow } from '../../../platform/events/read-events.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { settingsSet } from '../../../platform/events/settings-changes.ts';
import { command } from '../../../platform/operation/operation.ts';
import { forgetRequestCache } from '../../../platform/reads/request-cache.ts';
import { presentAll } from '../../../platform/resource/rest.ts';
import { assertAdmin } from '../../people/access/index.ts';
import { type AuditFilters, auditFilters, auditInput, passesAudit } from './audit-input.ts';
import { event } from './resources.ts';

/** Maximum number of events in one export. */
const MAX_EXPORTED_EVENTS = 100_000;

const EVENTS_PER_STATEMENT = 1_000;

/** What is exported. Contains no ids of resources as such, so that a repetition exports the same. */
export interface AuditExport {
  organizationId: string;
  filters: AuditFilters;
}

export const exportAuditEvents = command({
  name: 'exportAuditEvents',
  scope: 'admin',
  description:
    `Exports the audited events of an organization, newest first, as newline-delimited JSON: one event a line, as in the list. BAD_USER_INPUT if there are more than ${MAX_EXPORTED_EVENTS.toLocaleString('en')}: export one period after the other with \`createdAfter\` and \`createdBefore\`. ` +
    'The export is an audited event itself. Only for admins of the organization.',
  input: auditInput,
  authorize: (ctx, { organizationId = '' }) => assertAdmin(ctx, organizationId),
  async run(ctx, { organizationId, ...input }): Promise<AuditExport> {
    await assertAdmin(ctx, organizationId);
    const filters = auditFilters(input);
    await rejectLargeExport(ctx, organizationId, filters);
    await recordEvent(ctx, { kind: 'audit_events_exported', organizationId, changes: settingsSet({ ...filters }) });
    return { organizationId, filters };
  },
});

async function rejectLargeExport({ db }: Context, organizationId: string, filters: AuditFilters): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from event e where ${conditions(organizationId, filters)} limit ${sql.lit(MAX_EXPORTED_EVENTS + 1)}) events`.execute(
    db,
  );
  if ((rows[0]?.count ?? 0) <= MAX_EXPORTED_EVENTS) return;
  throw badInput(
    ['createdAfter'],
    `There are more than ${MAX_EXPORTED_EVENTS.toLocaleString('en')} such events. Export a shorter period.`,
    'TOO_LARGE',
  );
}

/**
 * The lines of an export, whose number was checked. Reads the next thousand events when the client has taken those
 * before.
 */
export const auditLines = (ctx: Context, request: AuditExport): Readable => Readable.from(linesOf(ctx, request));

async function* linesOf(ctx: Context, { organizationId, filters }: AuditExport): AsyncGenerator<string> {
  let before: EventPosition | undefined;
  for (;;) {
    const rows = await readBefore(ctx.services.db, organizationId, filters, before);
    const lines = await presentAll(event, rows, ctx);
    if (lines.length > 0) yield lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    if (rows.length < EVENTS_PER_STATEMENT) return;
    before = rows.at(-1);
    // A client can read slowly, and lose its rights meanwhile.
    forgetRequestCache(ctx);
    await assertAdmin(ctx, organizationId);
  }
}

async function readBefore(
  db: Database,
  organizationId: string,
  filters: AuditFilters,
  before: EventPosition | undefined,
): Promise<EventRow[]> {
  let query = db.selectFrom('event as e').where(conditions(organizationId, filters));
  if (before)
    query = query.where(sql<boolean>`(e.transaction_id, e.id) < (${before.transactionId}::xid8, ${before.id})`);
  return query
    .selectAll('e')
    .orderBy('e.transactionId', 'desc')
    .orderBy('e.id', 'desc')
    .limit(EVENTS_PER_STATEMENT)
    .execute();
}

const conditions = (organizationId: string, filters: AuditFilters) =>
  sql<boolean>`${sql.join(
    [sql`e.organization_id = ${organizationId}`, ...passesAudit(filters).filter((condition) => condition !== false)],
    sql` and `,
  )}`;
