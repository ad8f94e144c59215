import { publicForm } from '../../../lib/document/public-form.ts';
import { makePause, type Pause } from '../../../lib/pause.ts';
import type { StoredPage } from '../../../lib/tree/node.ts';
import type { Context } from '../../../platform/context.ts';
import { documentId } from '../../../platform/ids.ts';
import { appUrl } from '../../../platform/urls.ts';
import { toBytes } from '../../store/revisions/index.ts';
import type { SourceOf } from '../computing/index.ts';
import { type BodyOf, type BodyQuery, showBody, showMarkdown } from '../rendering/index.ts';
import { layoutOf } from './layout.ts';
import { childPages, type PageView } from './page-view.ts';

/** The value of `kind`, which GitBook's API had before `type`. */
const OLD_KINDS = { document: 'sheet', group: 'group', link: 'link', computed: 'computed' } as const;

/** Pages in REST with all pages below them, without bodies. Trees of any size: with pauses for other requests. */
export async function presentPages(
  views: readonly PageView[],
  ctx: Context,
  pause: Pause = makePause(),
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
  pause: Pause = makePause(),
): Promise<Record<string, unknown>> {
  const { page, revision } = view;
  const { kind, node } = page;
  const children = kind === 'document' || kind === 'group' ? await childPages(ctx, view) : undefined;
  return {
    id: page.pageId,
    kind: OLD_KINDS[kind],
    type: kind,
    title: page.title,
    ...commonFields(node.fields),
    ...(page.path === null ? {} : { path: page.path }),
    ...(kind === 'document' ? documentMembers(view) : {}),
    ...(kind === 'link' ? linkMembers(node.fields) : {}),
    ...('computed' in node.fields ? { computed: node.fields.computed } : {}),
    ...(kind === 'document' ? { urls: { app: pageUrl(ctx, revision.spaceId, page.pageId) } } : {}),
    createdAt: node.createdAt,
    updatedAt: node.updatedAt,
    ...(children ? { pages: await presentPages(children, ctx, pause) } : {}),
  };
}

/** A page in REST with its body, in the form that the query asks for. */
export async function presentPageWithBody(
  view: PageView,
  ctx: Context,
  query: BodyQuery,
): Promise<Record<string, unknown>> {
  const page = await presentPage(view, ctx);
  if (view.page.kind !== 'document') return page;
  const { format, 'format.markdown.refs': references } = query;
  if (format === 'document') return { ...page, document: publicForm(await showBody(ctx, bodyOf(view), query)) };
  return { ...page, markdown: await showMarkdown(ctx, bodyOf(view), { ...query, references }) };
}

/** The body of a document page. Pages without one have an empty document. */
export const bodyOf = ({ page, revision }: PageView): BodyOf => ({
  revision,
  documentHash: page.documentHash,
  sourceHash: page.node.kind === 'document' ? (page.node.sourceHash ?? null) : null,
  variables: page.node.kind === 'document' ? (page.node.fields.variables ?? {}) : {},
  path: page.path,
  ...(page.node.kind === 'document' &&
    page.documentHash === null &&
    page.node.fields.computed && { computed: page.node.fields.computed as unknown as SourceOf }), // made by a source
});

export const pageUrl = (ctx: Context, spaceId: string, pageId: string) =>
  appUrl(ctx, `/spaces/${spaceId}/pages/${pageId}`);

const COMMON = ['slug', 'linkTitle', 'emoji', 'icon', 'condition', 'hidden', 'noIndex', 'noRobotsIndex'] as const;

function commonFields(fields: StoredPage['fields']): Record<string, unknown> {
  const members: Record<string, unknown> = fields as never; // accessed by name
  return Object.fromEntries(COMMON.filter((name) => members[name] !== undefined).map((name) => [name, members[name]]));
}

function documentMembers({ page }: PageView) {
  const fields = page.node.kind === 'document' ? page.node.fields : undefined;
  return {
    ...(fields?.description === undefined ? {} : { description: fields.description }),
    layout: layoutOf(fields?.layout),
    tags: fields?.tags ?? [],
    ...(fields?.cover ? { cover: { yPos: 0, ...fields.cover } } : {}),
    ...(fields?.variables ? { variables: fields.variables } : {}),
    ...(fields?.metaLinks ? { metaLinks: fields.metaLinks } : {}),
    ...(fields?.computed ? { computed: fields.computed, computedSeed: fields.computedSeed } : {}),
    ...(page.documentHash === null ? {} : { documentId: documentId(toBytes(page.documentHash)) }),
  };
}

function linkMembers(fields: StoredPage['fields']) {
  if (!('target' in fields)) return {};
  const { target } = fields;
  return { target, ...(target.kind === 'url' ? { href: target.url } : {}) };
}
