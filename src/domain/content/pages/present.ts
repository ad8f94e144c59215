import { withTitleLine } from '../../../lib/document/markdown/title-line.ts';
import { publicForm } from '../../../lib/document/public-form.ts';
import { makeYielder, type Yielder } from '../../../lib/tick.ts';
import type { Context } from '../../../platform/context/context.ts';
import { present } from '../../../platform/resource/rest.ts';
import { type BodyOf, type BodyQuery, renderBody, renderMarkdown } from '../rendering/index.ts';
import { childPages, type PageView } from './page-view.ts';
import { FIELDS_OF_KIND, pageNode } from './resources.ts';

/** Pages in REST with all pages below them, without bodies. Trees of any size: with pauses for other requests. */
export async function presentPages(
  views: readonly PageView[],
  ctx: Context,
  pause: Yielder = makeYielder(),
): Promise<Record<string, unknown>[]> {
  const pages: Record<string, unknown>[] = [];
  // One after the other: the pages below a page are loaded with it, so there is nothing to batch.
  for (const view of views) {
    await pause();
    pages.push(await presentPage(view, ctx, pause));
  }
  return pages;
}

/** A page in REST with all pages below it, without bodies. */
export async function presentPage(
  view: PageView,
  ctx: Context,
  pause: Yielder = makeYielder(),
): Promise<Record<string, unknown>> {
  const { kind } = view.page;
  const kindFields = FIELDS_OF_KIND[kind];
  const children = kind === 'document' || kind === 'group' ? await childPages(ctx, view) : undefined;
  return {
    ...(await present(pageNode, view, ctx)),
    ...(kindFields && (await present(kindFields, view, ctx))),
    ...(children && { pages: await presentPages(children, ctx, pause) }),
  };
}

/** A page in REST with its body, in the form that the query asks for. Its Markdown begins with the title. */
export async function presentPageWithBody(
  view: PageView,
  ctx: Context,
  query: BodyQuery,
): Promise<Record<string, unknown>> {
  const page = await presentPage(view, ctx);
  if (view.page.kind !== 'document') return page;
  const { format, 'format.markdown.refs': references } = query;
  if (format === 'document') return { ...page, document: publicForm(await renderBody(ctx, pageBody(view), query)) };
  const form = references === 'stable' ? 'paths' : references;
  const markdown = await renderMarkdown(ctx, pageBody(view), { ...query, references: form });
  return { ...page, markdown: withTitleLine(view.page.title, markdown) };
}

/** The body of a document page. Pages without one have an empty document. */
export const pageBody = ({ page, revision }: PageView): BodyOf => ({
  revision,
  documentHash: page.documentHash,
  sourceHash: page.node.kind === 'document' ? (page.node.sourceHash ?? null) : null,
  variables: page.node.kind === 'document' ? (page.node.fields.variables ?? {}) : {},
  path: page.path,
  ...(page.node.kind === 'document' &&
    page.documentHash === null &&
    page.node.fields.computed && { computed: page.node.fields.computed }),
});
