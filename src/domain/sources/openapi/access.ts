import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { rowLoader } from '../../../platform/loader.ts';
import { compareVersion } from '../../../platform/version.ts';
import {
  absent,
  accessInOrganization,
  type OrganizationPermission,
  organizationFor,
} from '../../people/access/index.ts';

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
  wanted: OrganizationPermission,
): Promise<SpecRow> {
  await organizationFor(ctx, organizationId, wanted);
  const found = await findSpec(ctx, { organizationId, slug });
  if (!found) throw absent(ctx, 'OpenAPI specification', slug);
  return found;
}

/** The same with a row lock, for commands. */
export async function specForChange(ctx: Context, name: SpecName, wanted: OrganizationPermission): Promise<SpecRow> {
  await organizationFor(ctx, name.organizationId, wanted);
  const held = await ctx.db
    .selectFrom('openapi_spec')
    .where('organizationId', '=', name.organizationId)
    .where('slug', '=', name.slug)
    .select(SPEC_COLUMNS)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!held) throw absent(ctx, 'OpenAPI specification', name.slug);
  return compareVersion(ctx, held, { asked: name.slug, lock: 'for no key update' });
}

/** The specification of an organization with a slug. Does not check access. */
export const findSpec = ({ db }: Context, { organizationId, slug }: SpecName): Promise<SpecRow | undefined> =>
  db
    .selectFrom('openapi_spec')
    .where('organizationId', '=', organizationId)
    .where('slug', '=', slug)
    .select(SPEC_COLUMNS)
    .executeTakeFirst();

/** Rows of organizations in which the caller has a role. */
export async function inOwnOrganizations<Owned extends { organizationId: string }>(
  ctx: Context,
  rows: Owned[],
): Promise<Owned[]> {
  const isShown = await Promise.all(
    rows.map(async ({ organizationId }) => atLeast((await accessInOrganization(ctx, organizationId))?.role, 'read')),
  );
  return rows.filter((_, index) => isShown[index]);
}

/** Specifications by id, batched. Only those of organizations in which the caller has a role. */
export const loadSpec = rowLoader<SpecRow>('openapi spec', async (ctx, ids) =>
  inOwnOrganizations(
    ctx,
    await ctx.db.selectFrom('openapi_spec').where('id', '=', anyOf(ids)).select(SPEC_COLUMNS).execute(),
  ),
);
