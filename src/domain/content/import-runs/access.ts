import { sql } from 'kysely';
import type { Level } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { rowLoader } from '../../../platform/loader.ts';
import { absent, authorize, type Loaded, levelOn, needs, reaches } from '../../people/access/index.ts';

/** A run as lists have it: its report is read on its own. */
export type ImportRunRow = Omit<Row<'import_run'>, 'report'>;

export const RUN = sql`ir.id, ir.organization_id, ir.space_id, ir.change_request_id, ir.page_id, ir.site_id, ir.source, ir.status,
  ir.reason, ir.created_by, ir.created_at, ir.updated_at, ir.started_at, ir.completed_at, ir.pages_found, ir.pages_read,
  ir.pages_written, ir.files_written, ir.kept_count, ir.changed_count, ir.dropped_count, ir.revision_id`;

/** The space `s` lets the caller see its import runs. A published site shows a space, never those. */
export const showsImportRuns = (ctx: Context) =>
  sql<boolean>`s.deleted_at is null and ${reaches(levelOn.space(ctx.actor, 's'), needs.getImportRun.space)}`;

/**
 * The run, if the caller's level on its space reaches what is wanted: 404 when it is absent, of another organization
 * than the named one, or its space is not theirs to read; 403 when the level is too low.
 */
export async function importRunFor(
  ctx: Context,
  { importRunId, organizationId }: { importRunId: string; organizationId?: string | null | undefined },
  wanted: Level,
): Promise<ImportRunRow> {
  const isThere = organizationId == null ? sql`true` : sql`ir.organization_id = ${organizationId}`;
  const { rows } = await sql<ImportRunRow & Loaded>`
    select ${RUN}, ${levelOn.space(ctx.actor, 's')} as level, false as "isShown", o.blocked ->> 'reason' as "blockedReason"
    from import_run ir join space s on s.id = ir.space_id join organization o on o.id = ir.organization_id
    where ir.id = ${importRunId} and ${isThere} and s.deleted_at is null`.execute(ctx.db);
  const [found] = rows;
  if (!found) throw absent(ctx, 'import run', importRunId);
  return authorize(ctx, found, { what: 'import run', id: importRunId }, wanted);
}

/** Runs by id, batched; those of spaces that the caller may not read are left out. */
export const loadImportRun = rowLoader<ImportRunRow>('import run', async (ctx, ids) => {
  const { rows } = await sql<ImportRunRow>`
    select ${RUN} from import_run ir join space s on s.id = ir.space_id
    where ir.id = any(${ids}::text[]) and ${showsImportRuns(ctx)}`.execute(ctx.db);
  return rows;
});

type Reported = { id: string } & Pick<Row<'import_run'>, 'report'>;

/** Reports of runs that the caller was shown, batched. */
export const loadImportReport = rowLoader<Reported>('import report', async (ctx, ids) => {
  const { rows } = await sql<Reported>`
    select id, report from import_run where id = any(${ids}::text[])`.execute(ctx.db);
  return rows;
});
