import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { findReadPage } from '../computed-sources/index.ts';
import { visibleFilesIn } from '../visibility/index.ts';
import { backlinksOf } from './backlinks-of.ts';
import { versionFor, versionName } from './list-links.ts';

const WHERE =
  'in the same version of the space and in the primary content of every space of the organization that you have a role on. Each page or ' +
  'reusable content is listed once. Requires a role on the space.';

const authorize = (ctx: Context, { spaceId = '', revisionId, changeRequestId }: Record<string, string>) =>
  versionFor(ctx, { spaceId, revisionId: revisionId || null, changeRequestId: changeRequestId || null });

export const listPageBacklinks = query({
  name: 'listPageBacklinks',
  description: `Lists the pages and reusable contents that link to a page, ${WHERE}`,
  input: z.object({ ...versionName, pageId: idOf('page') }),
  authorize,
  async run(ctx, { pageId, ...name }) {
    const { revision, version } = await versionFor(ctx, name);
    if (!(await findReadPage(ctx, revision, { pageId }))) throw notFound('page', pageId);
    return backlinksOf(ctx, version, { target: 'page', id: pageId });
  },
});

export const listFileBacklinks = query({
  name: 'listFileBacklinks',
  description: `Lists the pages and reusable contents that embed or link to a file, ${WHERE}`,
  input: z.object({ ...versionName, fileId: idOf('file') }),
  authorize,
  async run(ctx, { fileId, ...name }) {
    const { revision, version } = await versionFor(ctx, name);
    if (!(await visibleFilesIn(ctx, revision, [fileId])).has(fileId)) throw notFound('file', fileId);
    return backlinksOf(ctx, version, { target: 'file', id: fileId });
  },
});
