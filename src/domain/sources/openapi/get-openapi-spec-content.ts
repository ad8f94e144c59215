import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { findSpec, type SpecName, type SpecRow, specFor } from './access.ts';
import { getOpenApiSpecVersion } from './get-openapi-spec-version.ts';
import { specOnVisits } from './spec-on-visits.ts';
import { versionOfSpec } from './versions.ts';

const needed = permissions.getOpenApiSpecContent.organization;

/** A specification whose content the caller can read: as a member, as a visitor, or because it is public. */
async function readableSpec(ctx: Context, name: SpecName): Promise<SpecRow> {
  const spec = await findSpec(ctx, name);
  if (spec?.visibility === 'public') return spec;
  return (await specOnVisits(ctx, name)) ?? specFor(ctx, name, needed);
}

export const getOpenApiSpecContent = query({
  name: 'getOpenApiSpecContent',
  description:
    'Gets the content of a version of an OpenAPI specification. The entry point is upgraded to OpenAPI 3.1; references ' +
    'are not resolved. Anyone can read public specifications. Visitors of a published site can read those that its pages use. ' +
    'NOT_FOUND if no version was processed yet.',
  openToAnonymous: true,
  input: z.object(getOpenApiSpecVersion.input.shape),
  authorize: (ctx, { organizationId = '', slug = '' }) => readableSpec(ctx, { organizationId, slug }),
  async run(ctx, { openApiSpecVersionId, ...name }) {
    const spec = await readableSpec(ctx, name);
    return { spec, version: await versionOfSpec(ctx, spec, openApiSpecVersionId) };
  },
});
