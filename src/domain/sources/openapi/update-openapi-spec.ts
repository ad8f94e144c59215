import { z } from 'zod';
import { nowOf } from '../../../platform/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { SPEC_COLUMNS, specFor, specForChange } from './access.ts';
import { specVisibility } from './enums.ts';
import { specName } from './settings.ts';

const needed = permissions.updateOpenApiSpec.organization;

export const updateOpenApiSpec = command({
  name: 'updateOpenApiSpec',
  description: 'Sets the visibility of an OpenAPI specification.',
  input: z.object({ ...specName, visibility: specVisibility.describe('Who can read the specification.') }),
  versioned: 'slug',
  authorize: (ctx, { organizationId = '', slug = '' }) => specFor(ctx, { organizationId, slug }, needed),
  async run(ctx, { visibility, ...name }) {
    const held = await specForChange(ctx, name, needed);
    if (held.visibility === visibility) return { openApiSpec: held };
    const openApiSpec = await ctx.db
      .updateTable('openapi_spec')
      .set({ visibility, updatedAt: nowOf(ctx) })
      .where('id', '=', held.id)
      .returning(SPEC_COLUMNS)
      .executeTakeFirstOrThrow();
    const { organizationId, id } = held;
    await recordEvent(ctx, { kind: 'openapi_spec_updated', organizationId, ids: { openApiSpecId: id } });
    return { openApiSpec };
  },
});
