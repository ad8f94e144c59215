import { z } from 'zod';
import { type Context, nowOf } from '../../../platform/context.ts';
import { orNull } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { enqueue } from '../../../platform/jobs/enqueue.ts';
import { command, idOf } from '../../../platform/operation.ts';
import { organizationFor, permissions } from '../../people/access/index.ts';
import { SPEC_COLUMNS, type SpecRow, specForChange } from './access.ts';
import { createSpec } from './create-spec.ts';
import { processOpenApiSpec } from './process-openapi-spec.ts';
import { type SpecSource, specSlug, specSource } from './settings.ts';

const needed = permissions.setOpenApiSpecSource.organization;

export const setOpenApiSpecSource = command({
  name: 'setOpenApiSpecSource',
  description:
    'Replaces the source of an OpenAPI specification and processes it. Creates the specification if it does not exist. ' +
    'The latest version stays until the new source is processed successfully with other content.',
  input: z.object({ organizationId: idOf('org'), slug: specSlug, source: specSource }),
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, needed),
  versioned: 'slug',
  async run(ctx, { organizationId, slug, source }) {
    await organizationFor(ctx, organizationId, needed, 'for key share');
    const spec = await orNull(specForChange(ctx, { organizationId, slug }, needed));
    if (spec) return { openApiSpec: await replaceSource(ctx, spec, source), isNew: false };
    return { openApiSpec: await createSpec(ctx, { organizationId, slug }, source), isNew: true };
  },
});

/** Whatever is being processed belongs to another number then, and is discarded. */
async function replaceSource(ctx: Context, { id, organizationId, sourceNumber }: SpecRow, source: SpecSource) {
  const spec = await ctx.db
    .updateTable('openapi_spec')
    .set({
      sourceUrl: source.url ?? null,
      sourceText: source.text ?? null,
      sourceNumber: sourceNumber + 1,
      etag: null,
      lastModified: null,
      processingState: 'pending',
      processingSince: nowOf(ctx),
      updatedAt: nowOf(ctx),
    })
    .where('id', '=', id)
    .returning(SPEC_COLUMNS)
    .executeTakeFirstOrThrow();
  const job = { openApiSpecId: id, sourceNumber: spec.sourceNumber };
  await enqueue(ctx, processOpenApiSpec, job, { group: organizationId });
  await recordEvent(ctx, { kind: 'openapi_spec_updated', organizationId, ids: { openApiSpecId: id } });
  return spec;
}
