import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { findReadPage, type ReadRevision } from '../computed-sources/index.ts';
import { revisionName, revisionOf } from '../revisions/index.ts';
import { type PageView, viewOfFound } from './page-view.ts';

export const getPage = query({
  name: 'getPage',
  description: 'Gets a page of a revision by its ID or by its full path. The empty path returns the home page.',
  openToAnonymous: true,
  input: z.object({
    ...revisionName,
    pageId: idOf('page').nullish(),
    path: z.string().max(8192).nullish().describe('Slugs from the top level down to the page, joined by "/".'),
  }),
  async run(ctx, { pageId, path, ...name }) {
    const { revision } = await revisionOf(ctx, name);
    return pageOfRevision(ctx, revision, pageId ?? undefined, path ?? undefined);
  },
});

/** Returns the page, or throws NOT_FOUND. */
export async function pageOfRevision(
  ctx: Context,
  revision: ReadRevision,
  pageId?: string,
  path?: string,
): Promise<PageView> {
  const name = pageId === undefined ? { path: path ?? '' } : { pageId };
  const foundPage = await findReadPage(ctx, revision, name);
  if (!foundPage) throw notFound('page', pageId ?? path ?? '');
  return viewOfFound(foundPage, revision);
}
