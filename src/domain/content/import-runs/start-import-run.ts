import { z } from 'zod';
import { requireUserId } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context.ts';
import { ApiError, badInput, conflict, orNull } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { newId } from '../../../platform/ids.ts';
import { enqueue } from '../../../platform/jobs/enqueue.ts';
import { command, idOf } from '../../../platform/operation.ts';
import { organizationFor, permissions } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import { editableChangeRequest } from '../change-requests/index.ts';
import { uploadFor } from '../uploads/index.ts';
import { RUN_COLUMNS } from './columns.ts';
import type { RunSource } from './entity.ts';
import { rejectUnknownSite } from './reject-unknown-site.ts';
import { runImport } from './run-import.ts';
import { enhance, type RunSourceInput, type RunTarget, runSource, runTarget } from './run-input.ts';

const needed = permissions.startImportRun;

/** Pending and running import runs of an organization. */
const MAX_ACTIVE = 20;

export const startImportRun = command({
  name: 'startImportRun',
  description:
    'Starts an import in the background. It imports a website or uploaded files of up to 10,000 pages into a space or a ' +
    'change request, as one revision, within 30 minutes. An organization can have up to 20 pending and running import runs.',
  input: z.object({
    organizationId: idOf('org'),
    source: runSource,
    target: runTarget,
    siteId: idOf('site').nullish().describe('ID of a site of the organization that the import is for.'),
    enhance,
  }),
  async authorize(ctx, { organizationId = '' }, { target }) {
    await organizationFor(ctx, organizationId, needed.organization);
    const { data } = z.object({ spaceId: z.string().max(200) }).safeParse(target);
    if (data) await orNull(spaceFor(ctx, data.spaceId, needed.space));
  },
  async run(ctx, { organizationId, source, target, siteId }) {
    const userId = requireUserId(ctx.actor);
    await organizationFor(ctx, organizationId, needed.organization, 'for key share');
    await rejectUnknownSite(ctx, organizationId, siteId);
    await rejectTarget(ctx, organizationId, target);
    const stored = await sourceOf(ctx, organizationId, source);
    await rejectTooMany(ctx, organizationId);
    const [id, now] = [newId('import'), nowOf(ctx)];
    const run = await ctx.db
      .insertInto('import_run')
      .values({
        id,
        organizationId,
        spaceId: target.spaceId,
        changeRequestId: target.changeRequestId ?? null,
        pageId: target.pageId ?? null,
        siteId: siteId ?? null,
        source: stored,
        createdBy: userId,
        createdAt: now,
        updatedAt: now,
      })
      .returning(RUN_COLUMNS)
      .executeTakeFirstOrThrow();
    await enqueue(ctx, runImport, { importRunId: id }, { group: organizationId });
    const { spaceId } = target;
    await recordEvent(ctx, { kind: 'import_run_started', organizationId, spaceId, ids: { importRunId: id } });
    return run;
  },
});

/** A target that does not exist is BAD_USER_INPUT, since it is part of the body; one without permission is FORBIDDEN. */
async function rejectTarget(ctx: Context, organizationId: string, target: RunTarget): Promise<void> {
  const { spaceId, changeRequestId } = target;
  const space = await orBadInput(['target', 'spaceId'], spaceFor(ctx, spaceId, needed.space));
  if (space.organizationId !== organizationId) {
    throw badInput(['target', 'spaceId'], `The organization has no space "${spaceId}".`);
  }
  if (changeRequestId != null) {
    const name = { changeRequestId, spaceId };
    await orBadInput(['target', 'changeRequestId'], editableChangeRequest(ctx, name, needed.space));
  } else if (space.editMode === 'locked') {
    throw conflict('The space is locked. Import into a change request instead.');
  }
}

async function orBadInput<Value>(path: string[], reading: Promise<Value>): Promise<Value> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') throw badInput(path, error.message);
    throw error;
  }
}

async function sourceOf(ctx: Context, organizationId: string, { website, file }: RunSourceInput): Promise<RunSource> {
  if (website) {
    if (!/^https?:$/.test(URL.parse(website.url)?.protocol ?? '')) {
      throw badInput(['source', 'website', 'url'], 'must be an http:// or https:// URL.');
    }
    return { type: 'website', url: website.url };
  }
  const files: string[] = [];
  for (const [index, id] of (file?.uploadIds ?? []).entries()) {
    const { row, localFile } = await uploadFor(ctx, organizationId, id, ['source', 'file', 'uploadIds', index]);
    await localFile.release();
    files.push(row.id);
  }
  return { type: 'file', files };
}

async function rejectTooMany({ db }: Context, organizationId: string): Promise<void> {
  const { count } = await db
    .selectFrom('import_run')
    .where('organizationId', '=', organizationId)
    .where('status', 'in', ['pending', 'in-progress'])
    .select((run) => run.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) < MAX_ACTIVE) return;
  throw conflict(
    `The organization has ${MAX_ACTIVE} pending and running import runs. Wait for one to end, or cancel one.`,
  );
}
