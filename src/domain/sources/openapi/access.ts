import { sql } from 'kysely';
import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { EntityRow } from '../../../platform/database/entity-from-row.ts';
import { lockEntity } from '../../../platform/database/lock-entity.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { recordVersion } from '../../../platform/operation/version.ts';
import { entityLoader } from '../../../platform/reads/entity-loader.ts';
import { batchLoader } from '../../../platform/reads/loader.ts';
import {
  accessInOrganization,
  assertHasRole,
  notVisibleError,
  type OrganizationPermission,
  organizationFor,
} from '../../people/access/index.ts';
import { OpenApiSpec } from './entity.ts';

/** A specification without its text, which is only read to process it. */
export type SpecRow = Omit<Row<'openapi_spec'>, 'sourceText'>;

export const SPEC_COLUMNS = [
  'id',
  'organizationId',
  'slug',
  'sourceUrl',
  'sourceNumber',
  'etag',
  'lastModified',
  'visibility',
  'processingSince',
  'processingState',
  'latestVersionId',
  'lastProcessedAt',
  'lastProcessErrorCode',
  'lastProcessedErrors',
  'createdBy',
  'createdAt',
  'updatedAt',
  'version',
] as const satisfies (keyof SpecRow)[];

/** Input that names a specification. */
export interface SpecName {
  organizationId: string;
  slug: string;
}

/** The specification, if the caller has the permission in its organization. Throws NOT_FOUND or FORBIDDEN. */
export async function specFor(
  ctx: Context,
  { organizationId, slug }: SpecName,
  permission: OrganizationPermission,
): Promise<SpecRow> {
  if (permission === 'role') await assertHasRole(ctx, organizationId);
  else await organizationFor(ctx, organizationId, permission);
  const spec = await findSpec(ctx, { organizationId, slug });
  if (!spec) throw notVisibleError(ctx, 'OpenAPI specification', slug);
  return spec;
}

/** The same as a locked entity without its text, for commands. */
export async function specForChange(
  ctx: Context,
  { organizationId, slug }: SpecName,
  permission: OrganizationPermission,
): Promise<EntityRow<typeof OpenApiSpec>> {
  await organizationFor(ctx, organizationId, permission);
  const spec = await lockEntity(ctx, OpenApiSpec, { organizationId, slug }, SPEC_COLUMNS);
  if (!spec) throw notVisibleError(ctx, 'OpenAPI specification', slug);
  return recordVersion(ctx, spec, { requestedId: slug, lock: 'for no key update' });
}

/** The specification of an organization with a slug, batched. Does not check access. */
export const findSpec = (ctx: Context, { organizationId, slug }: SpecName): Promise<SpecRow | undefined> =>
  specsBySlug(ctx, `${organizationId} ${slug}`);

/** By `<organization id> <slug>`. Neither contains a space, so a key with another space finds nothing. */
const specsBySlug = batchLoader<SpecRow>('openapi spec by slug', async (ctx, keys) => {
  const keyParts = keys.map((key) => key.split(' '));
  const { rows } = await sql<SpecRow>`
    select ${sql.join(SPEC_COLUMNS.map((column) => sql.ref(`s.${column}`)))}
    from unnest(${keyParts.map(([id = '']) => id)}::text[], ${keyParts.map(([, slug = '']) => slug)}::text[]) as w(organization_id, slug)
    join openapi_spec s on s.organization_id = w.organization_id and s.slug = w.slug`.execute(ctx.db);
  return new Map(rows.map((row) => [`${row.organizationId} ${row.slug}`, row]));
});

/** Rows of organizations in which the caller has a role. */
export async function filterOwnOrganizations<Owned extends { organizationId: string }>(
  ctx: Context,
  rows: Owned[],
): Promise<Owned[]> {
  const isShown = await Promise.all(
    rows.map(async ({ organizationId }) => atLeast((await accessInOrganization(ctx, organizationId))?.role, 'read')),
  );
  return rows.filter((_, index) => isShown[index]);
}

/** Specifications by id, batched. Only those of organizations in which the caller has a role. */
export const loadSpec = entityLoader<SpecRow>(OpenApiSpec, {
  fields: SPEC_COLUMNS,
  isShown: async (ctx, { organizationId }) => atLeast((await accessInOrganization(ctx, organizationId))?.role, 'read'),
});
