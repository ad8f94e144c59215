import { rejectLimitedToSpaces, requireUserId, ssoOf } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { enqueue } from '../../../platform/jobs/enqueue.ts';
import { rejectAtLimit } from '../../../platform/operation/count-limit.ts';
import type { ImportRunRow } from './access.ts';
import { RUN_COLUMNS } from './columns.ts';
import type { RunSource } from './entity.ts';
import { runImport } from './run-import.ts';
import type { RunTarget } from './run-input.ts';

/** Pending and running import runs of an organization. */
const MAX_ACTIVE = 20;

/**
 * Creates an import run and enqueues its job, in the transaction of the command. The caller has checked the target.
 * CONFLICT if the organization has 20 pending and running import runs. FORBIDDEN for applications that are limited to
 * spaces, since the job has all permissions of the user.
 */
export async function createRun(
  ctx: Context,
  organizationId: string,
  { source, target, siteId = null }: { source: RunSource; target: RunTarget; siteId?: string | null | undefined },
): Promise<ImportRunRow> {
  rejectLimitedToSpaces(ctx.actor);
  await rejectAtLimit(
    ctx,
    {
      name: `import runs:${organizationId}`,
      max: MAX_ACTIVE,
      message: `The organization has ${MAX_ACTIVE} pending and running import runs. Wait for one to end, or cancel one.`,
    },
    ctx.db
      .selectFrom('import_run')
      .where('organizationId', '=', organizationId)
      .where('status', 'in', ['pending', 'in-progress']),
  );
  const [id, now] = [newId('import'), nowOf(ctx)];
  const { spaceId } = target;
  const run = await ctx.db
    .insertInto('import_run')
    .values({
      id,
      organizationId,
      spaceId,
      changeRequestId: target.changeRequestId ?? null,
      pageId: target.pageId ?? null,
      siteId,
      source,
      createdBy: requireUserId(ctx.actor),
      samlProviderId: ssoOf(ctx.actor)?.providerId ?? null,
      createdAt: now,
      updatedAt: now,
    })
    .returning(RUN_COLUMNS)
    .executeTakeFirstOrThrow();
  await enqueue(ctx, runImport, { importRunId: id }, { group: organizationId });
  await recordEvent(ctx, { kind: 'import_run_started', organizationId, spaceId, ids: { importRunId: id } });
  return run;
}
