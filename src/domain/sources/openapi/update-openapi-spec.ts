import { z } from 'zod';
import { nowOf } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { watchSettings } from '../../../platform/events/settings-changes.ts';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { specFor, specForChange } from './access.ts';
import { specVisibility } from './enums.ts';
import { specName } from './settings.ts';

const needed = permissions.updateOpenApiSpec.organization;

export const updateOpenApiSpec = command({
  name: 'updateOpenApiSpec',
  scope: 'write',
  scopeOf: ({ visibility }) => (visibility === 'public' ? 'publish' : undefined),
  description: 'Sets the visibility of an OpenAPI specification.',
  input: z.object({ ...specName, visibility: specVisibility.describe('Who can read the specification.') }),
  versioned: 'slug',
  authorize: (ctx, { organizationId = '', slug = '' }) => specFor(ctx, { organizationId, slug }, needed),
  async run(ctx, { visibility, ...name }) {
    const openApiSpec = await specForChange(ctx, name, needed);
    if (openApiSpec.visibility === visibility) return { openApiSpec };
    const changed = watchSettings(openApiSpec, ['visibility']);
    ctx.em.assign(openApiSpec, { visibility, updatedAt: nowOf(ctx) });
    await ctx.em.flush();
    const { organizationId, id } = openApiSpec;
    const ids = { openApiSpecId: id };
    await recordEvent(ctx, { kind: 'openapi_spec_updated', organizationId, ids, changes: changed() });
    return { openApiSpec };
  },
});
