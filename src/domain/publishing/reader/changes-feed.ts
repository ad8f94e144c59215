import { sql } from 'kysely';
import { html } from '../../../lib/document-html/html.ts';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { versionsOfPage } from '../../store/trees/index.ts';
import { urlPathIn } from '../structure/index.ts';
import type { SiteResponse } from './cache.ts';
import type { PageTree } from './page-tree.ts';
import { pathOfPage, type SitePlace, type SiteView } from './site-view.ts';

/** Number of revisions of the space that are looked through for changes of the page. */
const MAX_REVISIONS = 30;

/**
 * The changes of a page as a feed (RSS 2.0), newest first. Each item says when the page changed and links to it:
 * reasons of changes are for members of the organization, and what earlier versions were may have been hidden from the
 * visitor.
 */
export async function changesFeed(
  view: SiteView,
  place: SitePlace,
  tree: PageTree,
  page: LoadedPage,
): Promise<SiteResponse> {
  const url = `${view.url}${pathOfPage(urlPathIn(view.structure, place.located.siteSpace), page.path ?? '')}`;
  const changes = await changesOf(view, tree, page);
  const items = changes.map(
    ({ id, createdAt }) => html`<item>
<title>${page.title}</title>
<link>${url}</link>
<guid isPermaLink="false">${id}/${page.pageId}</guid>
<pubDate>${new Date(createdAt).toUTCString()}</pubDate>
</item>
`,
  );
  const body = html`<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${page.title} | ${view.site.title}</title>
<link>${url}</link>
<description>${place.words.updated}: ${page.title}</description>
<language>${place.words.language}</language>
<atom:link href="${url}/rss.xml" rel="self" type="application/rss+xml"/>
${items}</channel>
</rss>
`;
  return { status: 200, headers: { 'content-type': 'application/rss+xml; charset=utf-8' }, body: body.source };
}

interface Change {
  /** The revision. */
  id: string;
  createdAt: string;
}

/** The revisions that changed a page, compared with the one before each. The one that added it counts too. */
async function changesOf({ ctx }: SiteView, { revision }: PageTree, { pageId }: LoadedPage): Promise<Change[]> {
  const { rows } = await sql<RevisionRow>`
    select r.* from revision r
    where r.space_id = ${revision.spaceId} and r.change_request_id is null and r.summary is not null
    order by r.created_at desc, r.id desc limit ${sql.lit(MAX_REVISIONS + 1)}`.execute(ctx.db);
  const { pages, isWhole } = await versionsOfPage(ctx, rows, pageId);
  // The first of a history that is read as a whole was added there.
  const isAdded = isWhole || (pages.length === rows.length && rows.length <= MAX_REVISIONS);
  return pages.slice(0, isAdded ? pages.length : -1).flatMap((after, index) => {
    const [before, row] = [pages[index + 1], rows[index]];
    return !row || (before && isSame(before, after)) ? [] : [{ id: row.id, createdAt: row.createdAt }];
  });
}

const isSame = (before: LoadedPage, after: LoadedPage) =>
  before.documentHash === after.documentHash && before.title === after.title;
