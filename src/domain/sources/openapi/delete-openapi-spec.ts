import { z } from 'zod';
import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import { badInput, orNull } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { enqueueAll } from '../../../platform/jobs/enqueue.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { accessInOrganization, organizationFor, permissions } from '../../people/access/index.ts';
import { type SpecRow, specForChange } from './access.ts';
import { removeOpenApiVersion } from './processing/remove-openapi-version.ts';
import { specName } from './settings.ts';

const needed = permissions.deleteOpenApiSpec.organization;

export const deleteOpenApiSpec = command({
  name: 'deleteOpenApiSpec',
  scope: 'admin',
  description:
    'Deletes an OpenAPI specification, by its ID or by its organization and slug, and all its versions. References to it in content are broken afterwards.',
  input: z.object({
    openApiSpecId: idOf('openapi').nullish().describe('ID of the specification. Required unless `slug` is set.'),
    organizationId: idOf('org')
      .nullish()
      .describe('ID of the organization that the specification must belong to. Required with `slug`.'),
    slug: specName.slug.nullish(),
  }),
  versioned: ['slug', 'openApiSpecId'],
  async authorize(ctx, { organizationId, openApiSpecId }) {
    if (organizationId) await organizationFor(ctx, organizationId, needed);
    if (openApiSpecId) await deletable(ctx, { openApiSpecId, organizationId: organizationId || null });
  },
  async run(ctx, name) {
    const spec = await deletable(ctx, name);
    if (!spec) return { deletedId: null, organizationId: null };
    const { id, organizationId } = spec;
    const versions = await ctx.db.deleteFrom('openapi_spec_version').where('specId', '=', id).returning('id').execute();
    await ctx.db.deleteFrom('openapi_spec').where('id', '=', id).execute();
    const jobs = versions.map((version) => ({ data: { openApiSpecVersionId: version.id } }));
    await enqueueAll(ctx, removeOpenApiVersion, jobs);
    await recordEvent(ctx, { kind: 'openapi_spec_deleted', organizationId, ids: { openApiSpecId: id } });
    return { deletedId: id, organizationId };
  },
});

/** Guests do not see specifications. */
const isSeen = async (ctx: Context, { organizationId }: Pick<SpecRow, 'organizationId'>): Promise<boolean> =>
  atLeast((await accessInOrganization(ctx, organizationId))?.role, 'read');

interface Name {
  openApiSpecId?: string | null | undefined;
  organizationId?: string | null | undefined;
  slug?: string | null | undefined;
}

/** The specification with a row lock; null if there is none to be seen. A named organization must be visible. */
async function deletable(ctx: Context, { openApiSpecId, organizationId, slug }: Name): Promise<SpecRow | null> {
  if (openApiSpecId == null && (organizationId == null || slug == null)) {
    throw badInput(['openApiSpecId'], 'Specify `openApiSpecId`, or `organizationId` and `slug`.', 'ONE_OF');
  }
  if (organizationId != null) await organizationFor(ctx, organizationId, needed);
  const spec = await ctx.db
    .selectFrom('openapi_spec')
    .$if(openApiSpecId != null, (specs) => specs.where('id', '=', openApiSpecId ?? ''))
    .$if(organizationId != null, (specs) => specs.where('organizationId', '=', organizationId ?? ''))
    .$if(slug != null, (specs) => specs.where('slug', '=', slug ?? ''))
    .select(['organizationId', 'slug'])
    .executeTakeFirst();
  if (!spec || (organizationId == null && !(await isSeen(ctx, spec)))) return null;
  return orNull(specForChange(ctx, spec, needed));
}
