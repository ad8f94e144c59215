import { sql } from 'kysely';
import type { Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { rowLoader } from '../../../platform/loader.ts';
import { absent, authorize, loadedInSpace, permissions, reaches, roleOn } from '../../people/access/index.ts';
import { RUN_COLUMNS } from './columns.ts';

/** A run as lists have it: its report is read on its own. */
export type ImportRunRow = Omit<Row<'import_run'>, 'report'>;

/** The columns of the run `ir`. */
export const RUN = RUN_COLUMNS.map((column) => `ir.${column}` as const);

/** The space `s` lets the caller see its import runs. A published site shows a space, never those. */
export const showsImportRuns = (ctx: Context) =>
  sql<boolean>`s.deleted_at is null and ${reaches(roleOn.space(ctx.actor, 's'), permissions.getImportRun.space)}`;

/**
 * The run, if the caller's role on its space reaches what is wanted: 404 when it is absent, of another organization
 * than the named one, or its space is not theirs to read; 403 when the role is too low.
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

/** Runs by id, batched; those of spaces that the caller may not read are left out. */
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

/** Reports of runs that the caller was shown, batched. */
export const loadImportReport = rowLoader<Reported>('import report', ({ db }, ids) =>
  db.selectFrom('import_run').where('id', '=', anyOf(ids)).select(['id', 'report']).execute(),
);
