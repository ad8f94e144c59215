import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { ApiError, badInput, orNull } from '../../../platform/errors/errors.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { organizationFor, permissions, reaches, roleSql } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import { editableChangeRequest } from '../change-requests/index.ts';
import { rejectLocked } from '../import-engine/index.ts';
import { uploadFor } from '../uploads/index.ts';
import { createRun } from './create-run.ts';
import type { RunSource } from './entity.ts';
import { enhance, type RunSourceInput, type RunTarget, runSource, runTarget } from './run-input.ts';

const needed = permissions.startImportRun;

export const startImportRun = command({
  name: 'startImportRun',
  scope: ['propose', 'write'],
  scopeOf: ({ target }) => (target.changeRequestId == null ? 'write' : undefined),
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
    await organizationFor(ctx, organizationId, needed.organization, 'for key share');
    await rejectUnknownSite(ctx, organizationId, siteId);
    await rejectTarget(ctx, organizationId, target);
    const stored = await sourceOf(ctx, organizationId, source);
    return createRun(ctx, organizationId, { source: stored, target, siteId });
  },
});

/**
 * A target that does not exist is BAD_USER_INPUT, since it is part of the body; one without permission is FORBIDDEN.
 */
async function rejectTarget(ctx: Context, organizationId: string, target: RunTarget): Promise<void> {
  const { spaceId, changeRequestId } = target;
  const space = await orBadInput(['target', 'spaceId'], spaceFor(ctx, spaceId, needed.space));
  if (space.organizationId !== organizationId) {
    throw badInput(['target', 'spaceId'], `The organization has no space "${spaceId}".`, 'NOT_FOUND');
  }
  if (changeRequestId != null) {
    const name = { changeRequestId, spaceId };
    await orBadInput(['target', 'changeRequestId'], editableChangeRequest(ctx, name, needed.space));
  } else rejectLocked(space);
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
      throw badInput(['source', 'website', 'url'], 'must be an http:// or https:// URL.', 'INVALID_FORMAT');
    }
    return { type: 'website', url: website.url };
  }
  const files: string[] = [];
  for (const [index, id] of (file?.uploadIds ?? []).entries()) {
    const upload = await uploadFor(ctx, organizationId, id, ['source', 'file', 'uploadIds', index]);
    files.push(upload.id);
  }
  return { type: 'file', files };
}

/** Throws BAD_USER_INPUT for a site that does not belong to the organization or that the caller cannot see. */
async function rejectUnknownSite(
  ctx: Context,
  organizationId: string,
  siteId: string | null | undefined,
): Promise<void> {
  if (siteId == null) return;
  const site = await ctx.db
    .selectFrom('site as r')
    .where('r.id', '=', siteId)
    .where('r.organizationId', '=', organizationId)
    .where(reaches(roleSql.site(ctx.actor, 'r'), 'read'))
    .select('r.id')
    .executeTakeFirst();
  if (!site) throw badInput(['siteId'], `The organization has no site "${siteId}" that you can see.`, 'NOT_FOUND');
}
