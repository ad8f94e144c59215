import { type RawBuilder, sql } from 'kysely';
import { atLeast, type Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { rowLoader } from '../../../platform/reads/loader.ts';
import { authorize, notVisibleError, permissions, rowsInSpaces } from '../../people/access/index.ts';
import { RUN_COLUMNS } from './columns.ts';

/** An import run without its report, which is loaded separately. */
export type ImportRunRow = Omit<Row<'import_run'>, 'report'>;

/** The columns of `import_run ir`. */
export const RUN = RUN_COLUMNS.map((column) => `ir.${column}` as const);

const COLUMNS = sql.join(RUN.map((column) => sql.ref(column)));

/**
 * Loads an import run for a caller with at least this `role` on its space. Throws NOT_FOUND if the import run does not
 * exist, belongs to another organization, or is in a space that the caller cannot read; FORBIDDEN if the role is too
 * low.
 */
export async function importRunFor(
  ctx: Context,
  { importRunId, organizationId }: { importRunId: string; organizationId?: string | null | undefined },
  role: Role,
): Promise<ImportRunRow> {
  const within = organizationId == null ? sql`true` : sql`ir.organization_id = ${organizationId}`;
  const [run] = await runs(ctx, sql`ir.id = ${importRunId} and ${within}`);
  if (!run) throw notVisibleError(ctx, 'import run', importRunId);
  return authorize(ctx, run, { what: 'import run', id: importRunId }, role);
}

/** Loads import runs by id, batched. Import runs in spaces that the caller cannot read are left out. */
export const loadImportRun = rowLoader<ImportRunRow>('import run', async (ctx, ids) => {
  const rows = await runs(ctx, sql`ir.id = any(${ids}::text[])`);
  return rows.filter(({ role }) => atLeast(role, permissions.getImportRun.space));
});

const runs = (ctx: Context, where: RawBuilder<unknown>) =>
  rowsInSpaces<ImportRunRow>(ctx, { select: COLUMNS, from: sql`import_run ir`, row: 'ir', where });

type Reported = { id: string } & Pick<Row<'import_run'>, 'report'>;

/** Loads reports, batched and without a permission check: the caller has loaded the import run before. */
export const loadImportReport = rowLoader<Reported>('import report', ({ db }, ids) =>
  db.selectFrom('import_run').where('id', '=', anyOf(ids)).select(['id', 'report']).execute(),
);
