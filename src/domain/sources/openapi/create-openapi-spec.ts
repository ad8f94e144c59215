import { z } from 'zod';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { organizationFor, permissions } from '../../people/access/index.ts';
import { createSpec } from './create-spec.ts';
import { specSlug, specSource } from './settings.ts';

const needed = permissions.createOpenApiSpec.organization;

export const createOpenApiSpec = command({
  name: 'createOpenApiSpec',
  scope: 'write',
  description:
    'Creates an OpenAPI specification from a URL or a text. It is processed in the background: see `processingState`. ' +
    'BAD_USER_INPUT if the slug is taken.',
  input: z.object({ organizationId: idOf('org'), slug: specSlug, source: specSource }),
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, needed),
  async run(ctx, { organizationId, slug, source }) {
    await organizationFor(ctx, organizationId, needed, 'for key share');
    return { openApiSpec: await createSpec(ctx, { organizationId, slug }, source) };
  },
});
