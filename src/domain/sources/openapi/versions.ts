import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { rowLoader } from '../../../platform/reads/loader.ts';
import { notVisibleError } from '../../people/access/index.ts';
import { filterOwnOrganizations, type SpecRow } from './access.ts';

/** A version without what only its pages are made of. */
export type VersionRow = Omit<Row<'openapi_spec_version'>, 'outline' | 'pageKeys'>;

export const VERSION_COLUMNS = [
  'id',
  'organizationId',
  'specId',
  'sourceUrl',
  'digest',
  'format',
  'openapiVersion',
  'title',
  'apiVersion',
  'operationsCount',
  'schemasCount',
  'filesCount',
  'changesCount',
  'breakingChangesCount',
  'location',
  'lintState',
  'lintErrorsCount',
  'lintWarningsCount',
  'lintFailure',
  'lintUpdatedAt',
  'createdAt',
] as const satisfies (keyof VersionRow)[];

/** A version of a specification. Without an id, or with `latest`, it is the latest one. Throws NOT_FOUND. */
export async function versionOfSpec(ctx: Context, spec: SpecRow, versionId?: string | null): Promise<VersionRow> {
  const id = versionId == null || versionId === 'latest' ? spec.latestVersionId : versionId;
  const version =
    id === null
      ? undefined
      : await ctx.db
          .selectFrom('openapi_spec_version')
          .where('id', '=', id)
          .where('specId', '=', spec.id)
          .select(VERSION_COLUMNS)
          .executeTakeFirst();
  if (!version) throw notVisibleError(ctx, 'version of the OpenAPI specification', id ?? 'latest');
  return version;
}

/** Versions by id, batched. Only those of organizations in which the caller has a role. */
export const loadVersion = rowLoader<VersionRow>('openapi version', async (ctx, ids) =>
  filterOwnOrganizations(
    ctx,
    await ctx.db.selectFrom('openapi_spec_version').where('id', '=', anyOf(ids)).select(VERSION_COLUMNS).execute(),
  ),
);
