import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import { type ChangeRequestRow, changeRequestFor, changeRequestName } from '../change-requests/index.ts';
import { findReadPage } from '../computed-sources/index.ts';
import { loadRevision, revisionName, revisionOf } from '../revisions/index.ts';
import { brokenContext, linkStatus } from './enums.ts';
import { type LinkList, linksOf } from './links-of.ts';
import { headVersion, linkVersion, type Version } from './versions.ts';

const status = linkStatus.nullish().describe('Only links with this status. Default: all links.');

const { spaceId, revisionId, changeRequestId } = revisionName;

/** The input that identifies a version of a space. */
export const versionName = { spaceId, revisionId, changeRequestId };

type VersionName = { spaceId: string; revisionId?: string | null; changeRequestId?: string | null };

/** Loads a version and its revision, for callers with a role on the space. */
export async function versionFor(
  ctx: Context,
  name: { [Member in keyof VersionName]: VersionName[Member] | undefined },
) {
  const fullName = { ...name, spaceId: name.spaceId ?? '' };
  const space = await spaceFor(ctx, fullName.spaceId, permissions.listPageLinks.space);
  const { revision } = await revisionOf(ctx, fullName);
  const ofChangeRequest = fullName.changeRequestId
    ? (
        await changeRequestFor(ctx, fullName.changeRequestId, permissions.listChangeRequestLinks.space, {
          spaceId: space.id,
        })
      ).id
    : undefined;
  return { revision, version: await linkVersion(ctx, revision, ofChangeRequest) };
}

export const listSpaceLinks = query({
  name: 'listSpaceLinks',
  description:
    'Lists every reference in the primary content of a space, with the status of its target: in bodies, in fields of pages and ' +
    'in reusable contents. Requires a role on the space.',
  input: z.object({ spaceId: idOf('space'), status }),
  authorize: (ctx, ids) => spaceFor(ctx, ids.spaceId ?? '', permissions.listSpaceLinks.space),
  async run(ctx, input): Promise<LinkList> {
    const space = await spaceFor(ctx, input.spaceId, permissions.listSpaceLinks.space);
    return linksOf(ctx, headVersion(space.id, space.organizationId), { status: input.status ?? undefined });
  },
});

export const listPageLinks = query({
  name: 'listPageLinks',
  description: 'Lists the references in a page, in reading order. Requires a role on the space.',
  input: z.object({ ...versionName, pageId: idOf('page'), status }),
  authorize: (ctx, ids) =>
    versionFor(ctx, {
      spaceId: ids.spaceId ?? '',
      revisionId: ids.revisionId || null,
      changeRequestId: ids.changeRequestId || null,
    }),
  async run(ctx, { pageId, status: statusFilter, ...name }): Promise<LinkList> {
    const { revision, version } = await versionFor(ctx, name);
    if (!(await findReadPage(ctx, revision, { pageId }))) throw notFound('page', pageId);
    return linksOf(ctx, version, {
      pageId,
      status: statusFilter ?? undefined,
      isChangeRequest: version.changeRequestId !== null,
    });
  },
});

export const listChangeRequestLinks = query({
  name: 'listChangeRequestLinks',
  description:
    'Lists every reference in the content of a change request, with the status of its target there. Requires a role on the space.',
  input: z.object({
    ...changeRequestName,
    status,
    brokenContext: brokenContext.nullish().describe('Only broken links with this origin.'),
  }),
  authorize: (ctx, ids) =>
    changeRequestFor(ctx, ids.changeRequestId ?? '', permissions.listChangeRequestLinks.space, {
      spaceId: ids.spaceId || null,
    }),
  async run(ctx, { status: statusFilter, brokenContext: broken, ...name }): Promise<LinkList> {
    const { changeRequestId: id, spaceId: within } = name;
    const changeRequest = await changeRequestFor(ctx, id, permissions.listChangeRequestLinks.space, {
      spaceId: within,
    });
    return linksOf(ctx, await changeRequestVersion(ctx, changeRequest), {
      status: statusFilter ?? undefined,
      brokenContext: broken ?? undefined,
      isChangeRequest: true,
    });
  },
});

/** The version of the content of a change request. */
export async function changeRequestVersion(ctx: Context, changeRequest: ChangeRequestRow): Promise<Version> {
  const revision = await loadRevision(ctx, changeRequest.revisionId);
  if (!revision) throw notFound('change request', changeRequest.id);
  return linkVersion(ctx, { ...revision, currentOf: changeRequest.id }, changeRequest.id);
}
