import { userIdOf } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { constraintMeans } from '../../../platform/database/constraints.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { settingsSet } from '../../../platform/events/settings-changes.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { enqueue } from '../../../platform/jobs/enqueue.ts';
import { rejectAtLimit } from '../../../platform/operation/count-limit.ts';
import { SPEC_COLUMNS, type SpecName, type SpecRow } from './access.ts';
import { processOpenApiSpec } from './processing/process-openapi-spec.ts';
import { MAX_SPECS, type SpecSource } from './settings.ts';

const slugTakenError = () =>
  badInput(['slug'], 'is the slug of another specification of this organization. Choose another one.', 'DUPLICATE');

constraintMeans('openapi_spec_slug_unique', slugTakenError);

/**
 * Creates a specification and enqueues its processing, in the transaction of the command. The caller has checked
 * access.
 */
export async function createSpec(
  ctx: Context,
  { organizationId, slug }: SpecName,
  source: SpecSource,
): Promise<SpecRow> {
  await rejectAtLimit(
    ctx,
    {
      name: `specifications:${organizationId}`,
      max: MAX_SPECS,
      message: `This organization already has ${MAX_SPECS} specifications. Delete one first.`,
    },
    ctx.db.selectFrom('openapi_spec').where('organizationId', '=', organizationId),
  );
  const now = nowOf(ctx);
  const spec = await ctx.db
    .insertInto('openapi_spec')
    .values({
      id: newId('openapi'),
      organizationId,
      slug,
      sourceUrl: source.url ?? null,
      sourceText: source.text ?? null,
      createdBy: userIdOf(ctx.actor) ?? null,
      createdAt: now,
      updatedAt: now,
    })
    .returning(SPEC_COLUMNS)
    .executeTakeFirstOrThrow();
  await enqueue(
    ctx,
    processOpenApiSpec,
    { openApiSpecId: spec.id, sourceNumber: spec.sourceNumber },
    { group: organizationId },
  );
  const changes = settingsSet({ slug, sourceUrl: source.url, sourceText: source.text });
  await recordEvent(ctx, { kind: 'openapi_spec_created', organizationId, ids: { openApiSpecId: spec.id }, changes });
  return spec;
}
