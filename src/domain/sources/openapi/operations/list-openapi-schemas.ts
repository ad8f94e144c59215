import { z } from 'zod';
import { query } from '../../../../platform/operation/operation.ts';
import { multilineText } from '../../../../platform/shapes/text.ts';
import { permissions } from '../../../people/access/index.ts';
import { specFor } from '../access.ts';
import { getOpenApiSpecVersion } from '../get-openapi-spec-version.ts';
import { versionOfSpec } from '../versions.ts';
import { schemasOfVersion } from './operations.ts';

const needed = permissions.listOpenApiSchemas.organization;

export const listOpenApiSchemas = query({
  name: 'listOpenApiSchemas',
  description: 'Lists the schemas of a version of an OpenAPI specification, in its order.',
  input: z.object({
    ...getOpenApiSpecVersion.input.shape,
    text: multilineText(1, 200)
      .nullish()
      .describe('Only schemas whose name or title contains this text, in upper or lower case.'),
  }),
  authorize: (ctx, { organizationId = '', slug = '' }) => specFor(ctx, { organizationId, slug }, needed),
  async run(ctx, { openApiSpecVersionId, text, ...name }) {
    const spec = await specFor(ctx, name, needed);
    const { id } = await versionOfSpec(ctx, spec, openApiSpecVersionId);
    return schemasOfVersion(ctx, id, { text: text ?? null });
  },
});
