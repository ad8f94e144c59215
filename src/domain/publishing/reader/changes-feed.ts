import { sql } from 'kysely';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import { html } from '../../../lib/web/html.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { findPage } from '../../store/trees/index.ts';
import { urlPathIn } from '../structure/index.ts';
import type { SiteAnswer } from './cache.ts';
import type { PageTree } from './page-tree.ts';
import { type Place, pathOfPage, type SiteView } from './site-view.ts';

/** Number of revisions of the space that are looked through for changes of the page. */
const MAX_REVISIONS = 30;

/**
 * The changes of a page as a feed (RSS 2.0), newest first. Each item says when the page changed and links to it: reasons
 * of changes are for members of the organization.
 */
export async function changesFeed(view: SiteView, place: Place, tree: PageTree, page: LoadedPage): Promise<SiteAnswer> {
  const url = `${view.url}${pathOfPage(urlPathIn(view.structure, place.located.siteSpace), page.path ?? '')}`;
  const changes = await changesOf(view, tree, page);
  const items = changes.map(
    ({ id, createdAt, title }) => html`<item>
<title>${title}</title>
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
  /** Title that the page had. */
  title: string;
}

/** The revisions that changed a page, compared with the one before each. The first one that has it counts too. */
async function changesOf({ ctx }: SiteView, { revision }: PageTree, { pageId }: LoadedPage): Promise<Change[]> {
  const { rows } = await sql<RevisionRow>`
    select r.* from revision r
    where r.space_id = ${revision.spaceId} and r.change_request_id is null and r.summary is not null
    order by r.created_at desc, r.id desc limit ${sql.lit(MAX_REVISIONS + 1)}`.execute(ctx.db);
  const pages = await Promise.all(rows.map((row) => findPage(ctx, row, { pageId })));
  const isWhole = rows.length <= MAX_REVISIONS;
  return rows.slice(0, isWhole ? rows.length : MAX_REVISIONS).flatMap(({ id, createdAt }, index) => {
    const [after, before] = [pages[index], pages[index + 1]];
    if (!after || (before && isSame(before, after))) return [];
    return [{ id, createdAt, title: after.title }];
  });
}

const isSame = (before: LoadedPage, after: LoadedPage) =>
  before.documentHash === after.documentHash && before.title === after.title;
