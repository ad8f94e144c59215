import { sql } from 'kysely';
import { z } from 'zod';
import { changesAsMarkdown } from '../../../../lib/openapi/changes-markdown.ts';
import type { ChangeSubject } from '../../../../lib/openapi/compare.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { anyOf } from '../../../../platform/database/conditions.ts';
import { idOf, query } from '../../../../platform/operation/operation.ts';
import { listing } from '../../../../platform/paging/listing.ts';
import { asc } from '../../../../platform/paging/order.ts';
import type { Listed } from '../../../../platform/paging/page.ts';
import { batchLoader } from '../../../../platform/reads/loader.ts';
import { permissions } from '../../../people/access/index.ts';
import { specFor } from '../access.ts';
import { changeSubject } from '../enums.ts';
import { getOpenApiSpecVersion } from '../get-openapi-spec-version.ts';
import { type VersionRow, versionOfSpec } from '../versions.ts';
import type { ChangeFilter, OpenApiChangeRow } from './change-resources.ts';
import { baseOf, listedChanges, specificationChanges } from './compare-versions.ts';

export const baseVersion = idOf('openapiversion')
  .nullish()
  .describe('ID of the version of the same specification to compare with. Default: the previous version.');

const changesOfVersion = listing<ChangeFilter, OpenApiChangeRow>({
  name: 'openApiVersion.changes',
  from: 'openapi_change as c',
  parent: 'versionId',
  where: ({ breaking, subject }) => [
    breaking !== null && sql`c.is_breaking = ${breaking}`,
    subject !== null && sql`c.subject = ${subject}`,
  ],
  order: [asc('position', 'integer')],
});

const needed = permissions.listOpenApiSpecChanges.organization;

export const listOpenApiSpecChanges = query({
  name: 'listOpenApiSpecChanges',
  description:
    'Lists the changes in a version of an OpenAPI specification since the previous version: operations, webhooks and schemas ' +
    'that were added, removed or changed, breaking changes first, up to 5,000. Empty for the first version. With ' +
    '`baseVersionId`, since that version. SERVICE_UNAVAILABLE if too much work is waiting.',
  input: z.object({
    ...getOpenApiSpecVersion.input.shape,
    baseVersionId: baseVersion,
    breaking: z.boolean().nullish().describe('Only changes that are breaking, or only others. Default: all changes.'),
    subject: changeSubject.nullish().describe('Only changes of this kind of object.'),
  }),
  authorize: (ctx, { organizationId = '', slug = '' }) => specFor(ctx, { organizationId, slug }, needed),
  async run(ctx, { organizationId, slug, openApiSpecVersionId, ...filter }) {
    const spec = await specFor(ctx, { organizationId, slug }, needed);
    return changesSince(ctx, await versionOfSpec(ctx, spec, openApiSpecVersionId), filter);
  },
});

interface GivenFilter {
  baseVersionId?: string | null | undefined;
  breaking?: boolean | null | undefined;
  subject?: ChangeSubject | null | undefined;
}

/** The changes of a version since another one, or else since the version before. Does not check access. */
export async function changesSince(
  ctx: Context,
  version: VersionRow,
  { baseVersionId, breaking = null, subject = null }: GivenFilter,
): Promise<Listed<OpenApiChangeRow>> {
  const filter = { breaking, subject };
  if (baseVersionId == null) return changesOfVersion(ctx, version.id, filter);
  return listedChanges(ctx, { baseId: await baseOf(ctx, version, baseVersionId), version }, filter);
}

/** Changes by the id of their version, batched. Does not check access. */
const loadChanges = batchLoader<OpenApiChangeRow[]>('openapi changes', async ({ db }, versionIds) => {
  const rows = await db
    .selectFrom('openapi_change')
    .where('versionId', '=', anyOf(versionIds))
    .orderBy('position')
    .selectAll()
    .execute();
  return Map.groupBy(rows, ({ versionId }) => versionId);
});

/** All changes of a version, as `changesSince`, as Markdown. Does not check access. */
export async function changelogOf(ctx: Context, version: VersionRow, baseVersionId?: string | null): Promise<string> {
  if (baseVersionId == null) return changesAsMarkdown((await loadChanges(ctx, version.id)) ?? []);
  return changesAsMarkdown(await specificationChanges(ctx, await baseOf(ctx, version, baseVersionId), version));
}
