import { z } from 'zod';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { EntityRow } from '../../../platform/database/entity-from-row.ts';
import { orNull } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { watchSettings } from '../../../platform/events/settings-changes.ts';
import { enqueue } from '../../../platform/jobs/enqueue.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { organizationFor, permissions } from '../../people/access/index.ts';
import { specForChange } from './access.ts';
import { createSpec } from './create-spec.ts';
import type { OpenApiSpec } from './entity.ts';
import { processOpenApiSpec } from './processing/process-openapi-spec.ts';
import { type SpecSource, specSlug, specSource } from './settings.ts';

const needed = permissions.setOpenApiSpecSource.organization;

export const setOpenApiSpecSource = command({
  name: 'setOpenApiSpecSource',
  scope: 'write',
  description:
    'Replaces the source of an OpenAPI specification and processes it. Creates the specification if it does not exist. ' +
    'The latest version is kept until the new source is processed successfully with other content.',
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
async function replaceSource(ctx: Context, spec: EntityRow<typeof OpenApiSpec>, source: SpecSource) {
  const { id, organizationId, sourceNumber } = spec;
  const changed = watchSettings(spec, ['sourceUrl', 'sourceText']);
  ctx.em.assign(spec, {
    sourceUrl: source.url ?? null,
    sourceText: source.text ?? null,
    sourceNumber: sourceNumber + 1,
    etag: null,
    lastModified: null,
    processingState: 'pending',
    processingSince: nowOf(ctx),
    updatedAt: nowOf(ctx),
  });
  await ctx.em.flush();
  const job = { openApiSpecId: id, sourceNumber: spec.sourceNumber };
  await enqueue(ctx, processOpenApiSpec, job, { group: organizationId });
  const ids = { openApiSpecId: id };
  await recordEvent(ctx, { kind: 'openapi_spec_updated', organizationId, ids, changes: changed() });
  return spec;
}
