import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { findReadPage } from '../computed-sources/index.ts';
import { type PageView, viewOfFound } from '../pages/index.ts';
import { revisionName, revisionOf } from '../revisions/index.ts';
import { lineRange, pageLines } from './page-lines.ts';

/** Input that names a page of a revision by its id. */
export const pageName = { ...revisionName, pageId: idOf('page') };

type PageName = z.output<z.ZodObject<typeof pageName>>;

export const getPageText = query({
  name: 'getPageText',
  description:
    'Gets lines of the body of a page as Markdown, as it was written, with the version that edits of the text can name. The title of the page is not part of the text. NOT_FOUND for pages without a body, such as links.',
  openToAnonymous: true,
  input: z.object({ ...pageName, ...lineRange }),
  run: async (ctx, { from, to, ...name }) => pageLines(ctx, await documentPageFor(ctx, name), { from, to }),
});

/** A page with a body that the caller can view. NOT_FOUND for other pages. */
export async function documentPageFor(ctx: Context, { pageId, ...name }: PageName): Promise<PageView> {
  const { revision } = await revisionOf(ctx, name);
  const foundPage = await findReadPage(ctx, revision, { pageId });
  if (foundPage?.page.kind !== 'document') throw notFound('page with a body', pageId);
  return viewOfFound(foundPage, revision);
}
