import { emptyDocument } from '../../lib/document/empty.ts';
import type { StoredPage } from '../../lib/tree/node.ts';
import type { Context } from '../../platform/context.ts';
import { documentId } from '../../platform/ids.ts';
import { appUrl } from '../../platform/urls.ts';
import { loadDocument } from '../documents/index.ts';
import { toBytes } from '../revisions/index.ts';
import { layoutOf } from './layout.ts';
import { childPages, type PageView } from './page-view.ts';

/** The names that the public API gave kinds of pages before `type` (decisions 0.17). */
const OLD_KINDS = { document: 'sheet', group: 'group', link: 'link', computed: 'computed' } as const;

export type BodyFormat = 'document' | 'markdown';

/** REST's page with everything below it; a tree carries no bodies. */
export async function presentPage(view: PageView, ctx: Context): Promise<Record<string, unknown>> {
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
    ...(kind === 'document' ? { urls: { app: pageUrl(ctx, revision.space_id, page.pageId) } } : {}),
    createdAt: node.createdAt,
    updatedAt: node.updatedAt,
    ...(children ? { pages: await Promise.all(children.map((child) => presentPage(child, ctx))) } : {}),
  };
}

/** A page with its body in one of its two forms. */
export async function presentPageWithBody(
  view: PageView,
  ctx: Context,
  format: BodyFormat,
): Promise<Record<string, unknown>> {
  const page = await presentPage(view, ctx);
  if (view.page.kind !== 'document') return page;
  const { body, markdown } = await bodyOf(view, ctx);
  return { ...page, ...(format === 'markdown' ? { markdown } : { document: body }) };
}

/** The body of a document page; a page without one has an empty document (decisions 10). */
export async function bodyOf({ page, revision }: PageView, ctx: Context) {
  if (page.documentHash === null) return { body: emptyDocument(), markdown: '' };
  return loadDocument(ctx, revision.organization_id, page.documentHash);
}

export const pageUrl = (ctx: Context, spaceId: string, pageId: string) =>
  appUrl(ctx, `/spaces/${spaceId}/pages/${pageId}`);

const COMMON = ['slug', 'linkTitle', 'emoji', 'icon', 'condition', 'hidden', 'noIndex', 'noRobotsIndex'] as const;

function commonFields(fields: StoredPage['fields']): Record<string, unknown> {
  const members: Record<string, unknown> = fields as never; // read by name
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
