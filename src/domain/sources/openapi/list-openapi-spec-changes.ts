import { sql } from 'kysely';
import { z } from 'zod';
import { changesAsMarkdown } from '../../../lib/openapi/changes-markdown.ts';
import type { ChangeSubject } from '../../../lib/openapi/compare.ts';
import type { Context } from '../../../platform/context.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { batchLoader } from '../../../platform/loader.ts';
import { query } from '../../../platform/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { permissions } from '../../people/access/index.ts';
import { specFor } from './access.ts';
import { changeSubject } from './enums.ts';
import { getOpenApiSpecVersion } from './get-openapi-spec-version.ts';
import { versionOfSpec } from './versions.ts';

export type ChangeRow = Row<'openapi_change'>;

export interface ChangeFilter {
  breaking: boolean | null;
  subject: ChangeSubject | null;
}

export const changesOfVersion = listing<ChangeFilter, ChangeRow>({
  name: 'openApiVersion.changes',
  select: sql`c.*`,
  from: (versionId, { breaking, subject }) => sql`
    from openapi_change c where c.version_id = ${versionId}
      ${breaking === null ? sql`` : sql`and c.is_breaking = ${breaking}`}
      ${subject === null ? sql`` : sql`and c.subject = ${subject}`}`,
  order: () => [{ by: sql`c.position`, key: 'position', direction: 'asc', type: 'integer' }],
});

const needed = permissions.listOpenApiSpecChanges.organization;

export const listOpenApiSpecChanges = query({
  name: 'listOpenApiSpecChanges',
  description:
    'Lists what changed in a version of an OpenAPI specification since the version before: operations, webhooks and schemas ' +
    'that were added, removed or changed, breaking changes first, up to 5,000. Empty for the first version.',
  input: z.object({
    ...getOpenApiSpecVersion.input.shape,
    breaking: z.boolean().nullish().describe('Only changes that are breaking, or only others. Default: all changes.'),
    subject: changeSubject.nullish().describe('Only changes of this kind of object.'),
  }),
  authorize: (ctx, { organizationId = '', slug = '' }) => specFor(ctx, { organizationId, slug }, needed),
  async run(ctx, { organizationId, slug, openApiSpecVersionId, breaking, subject }) {
    const spec = await specFor(ctx, { organizationId, slug }, needed);
    const { id } = await versionOfSpec(ctx, spec, openApiSpecVersionId);
    return changesOfVersion(ctx, id, { breaking: breaking ?? null, subject: subject ?? null });
  },
});

/** Changes by the id of their version, batched. Does not check access. */
const loadChanges = batchLoader<ChangeRow[]>('openapi changes', async ({ db }, versionIds) => {
  const rows = await db
    .selectFrom('openapi_change')
    .where('versionId', '=', anyOf(versionIds))
    .orderBy('position')
    .selectAll()
    .execute();
  return Map.groupBy(rows, ({ versionId }) => versionId);
});

/** All changes of a version as Markdown. Does not check access. */
export const changelogOf = async (ctx: Context, versionId: string): Promise<string> =>
  changesAsMarkdown((await loadChanges(ctx, versionId)) ?? []);
