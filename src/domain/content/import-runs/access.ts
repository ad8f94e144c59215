import { sql } from 'kysely';
import type { Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { rowLoader } from '../../../platform/loader.ts';
import { absent, authorize, loadedInSpace, permissions, reaches, roleOn } from '../../people/access/index.ts';
import { RUN_COLUMNS } from './columns.ts';

/** An import run without its report, which is loaded separately. */
export type ImportRunRow = Omit<Row<'import_run'>, 'report'>;

/** The columns of `import_run ir`. */
export const RUN = RUN_COLUMNS.map((column) => `ir.${column}` as const);

/** Whether the caller can see the import runs of the space `s`. Publication of the space does not count, only roles do. */
export const showsImportRuns = (ctx: Context) =>
  sql<boolean>`s.deleted_at is null and ${reaches(roleOn.space(ctx.actor, 's'), permissions.getImportRun.space)}`;

/**
 * Loads an import run for a caller with at least the wanted role on its space. Throws NOT_FOUND if the import run does
 * not exist, belongs to another organization, or is in a space that the caller cannot read; FORBIDDEN if the role is too low.
 */
export async function importRunFor(
  ctx: Context,
  { importRunId, organizationId }: { importRunId: string; organizationId?: string | null | undefined },
  wanted: Role,
): Promise<ImportRunRow> {
  const found = await ctx.db
    .selectFrom('import_run as ir')
    .innerJoin('space as s', 's.id', 'ir.spaceId')
    .innerJoin('organization as o', 'o.id', 'ir.organizationId')
    .where('ir.id', '=', importRunId)
    .where('s.deletedAt', 'is', null)
    .$if(organizationId != null, (query) => query.where('ir.organizationId', '=', organizationId ?? ''))
    .select(RUN)
    .select(loadedInSpace(ctx))
    .executeTakeFirst();
  if (!found) throw absent(ctx, 'import run', importRunId);
  return authorize(ctx, found, { what: 'import run', id: importRunId }, wanted);
}

/** Loads import runs by id, batched. Import runs in spaces that the caller cannot read are left out. */
export const loadImportRun = rowLoader<ImportRunRow>('import run', (ctx, ids) =>
  ctx.db
    .selectFrom('import_run as ir')
    .innerJoin('space as s', 's.id', 'ir.spaceId')
    .where('ir.id', '=', anyOf(ids))
    .where(showsImportRuns(ctx))
    .select(RUN)
    .execute(),
);

type Reported = { id: string } & Pick<Row<'import_run'>, 'report'>;

/** Loads reports, batched and without a permission check: the caller has loaded the import run before. */
export const loadImportReport = rowLoader<Reported>('import report', ({ db }, ids) =>
  db.selectFrom('import_run').where('id', '=', anyOf(ids)).select(['id', 'report']).execute(),
);
