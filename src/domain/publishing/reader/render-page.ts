import type { ContentRef, MediaRef } from '../../../lib/document/content-ref.ts';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { Html, type HtmlValue, html } from '../../../lib/document-html/html.ts';
import { pictureHtml } from '../../../lib/document-html/inlines.ts';
import { type WebSource, webTarget } from '../../../lib/document-html/printing.ts';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import { layoutOf, pageBody, viewOf } from '../../content/pages/index.ts';
import { renderBody } from '../../content/rendering/index.ts';
import type { SiteResponse } from './cache.ts';
import { modeOf, type PageFrame, readPageFrame } from './frame.ts';
import { alternatesOf, type LanguageVersions, languageVersions } from './languages.ts';
import { navigationHtml, placePagePath, placeSegments } from './navigation.ts';
import { mainHtml, outlineHtml } from './page-main.ts';
import type { PageTree } from './page-tree.ts';
import { printBodyHtml } from './print-body-html.ts';
import { shellResponse } from './shell.ts';
import { pathOfPage, type SitePlace, type SiteView } from './site-view.ts';
import { socialImagePath } from './social-image.ts';
import { cachedFor, documentTargets, type WebTargets } from './targets.ts';

/** The body of a page as visitors see it. */
const shownBody = ({ ctx }: SiteView, tree: PageTree, page: LoadedPage): Promise<JSONDocument> =>
  renderBody(ctx, pageBody(viewOf(page, tree.revision)), { evaluated: 'true', dereferenced: 'true' });

/** A page whose code could not be colored in time is soon printed again. */
const WITHOUT_COLORS_MS = 60_000;

/** A page of a place as HTML. */
export async function renderPage(
  view: SiteView,
  place: SitePlace,
  tree: PageTree,
  page: LoadedPage,
): Promise<SiteResponse> {
  const [frame, document, versions] = await Promise.all([
    readPageFrame(view, place, tree),
    shownBody(view, tree, page),
    languageVersions(view, place, tree, page),
  ]);
  const fields = page.node.kind === 'document' ? page.node.fields : undefined;
  const { canonical, alternates = [] } = (fields?.metaLinks ?? {}) as MetaLinks; // validated when it was stored
  const cover = fields?.cover as Cover | undefined; // the same
  const further = [canonical, ...alternates, cover?.ref, cover?.refDark].filter((ref) => ref !== undefined);
  const origin = { tree, spaceId: place.space.id, segments: placeSegments(frame) };
  const source = sourceOf(frame, await documentTargets(view, origin, document, further));
  const {
    html: body,
    outline,
    lacksColors,
  } = await printBodyHtml(view.ctx, view.site.organizationId, {
    document,
    source,
  });
  const layout = layoutOf(fields?.layout);
  const files = `${view.base}${pathOfPage(placeSegments(frame), page.path ?? '')}`;
  const parts = { frame, tree, page, files, cover: coverHtml(source, cover) };
  const absolute = (ref: ContentRef) => absoluteUrl(frame, webTarget(source, ref)?.url);
  const response = shellResponse(frame, {
    title: page.title,
    ...(fields?.description && { description: fields.description }),
    canonical: (canonical && absolute(canonical)) ?? absoluteUrl(frame, placePagePath(frame, tree, page)) ?? view.url,
    image: `${view.url}${socialImagePath(view, place, page)}`,
    isIndexed: !isHiddenFromRobots(page),
    ...(view.site.isForAgents && place.look.pageActions.markdown && { markdownUrl: `${files}.md` }),
    feedUrl: `${files}/rss.xml`,
    alternates: alternates.flatMap((ref) => absolute(ref) ?? []),
    ...(!isHiddenFromRobots(page) && {
      languages: alternatesOf(view, place.languages, withOwn(versions, frame, tree, page)),
    }),
    navigation: layout.tableOfContents ? navigationHtml(frame, tree, page, versions) : html``,
    main: mainHtml(parts, new Html(body)),
    ...(layout.outline && outline.length > 1 && { outline: outlineHtml(frame, outline) }),
  });
  return {
    ...response,
    pageId: page.pageId,
    ...cachedFor(document),
    ...(lacksColors && { cacheMs: WITHOUT_COLORS_MS }),
  };
}

/** The paths of a page in the other languages, and its own. */
function withOwn(versions: LanguageVersions, frame: PageFrame, tree: PageTree, page: LoadedPage): LanguageVersions {
  const { siteSpace } = frame.place.located;
  return new Map([...versions, [siteSpace.id, placePagePath(frame, tree, page).slice(frame.view.base.length)]]);
}

interface MetaLinks {
  canonical?: ContentRef;
  alternates?: ContentRef[];
}

interface Cover {
  ref?: MediaRef;
  refDark?: MediaRef;
}

function coverHtml(source: WebSource, cover: Cover | undefined): HtmlValue {
  const picture = cover?.ref && pictureHtml(source, { ...cover, ref: cover.ref }, { alt: '' });
  return picture && html`<div class="cover">${picture}</div>`;
}

/** A path of the site as a URL. Other URLs stay as they are. */
function absoluteUrl({ view }: PageFrame, url: string | undefined): string | undefined {
  return url?.startsWith('/') ? `${view.url}${url.slice(view.base.length)}` : url;
}

export const isHiddenFromRobots = ({ hidden, node }: LoadedPage): boolean =>
  hidden || (node.kind === 'document' && (node.fields.noIndex === true || node.fields.noRobotsIndex === true));

const sourceOf = ({ view, place, content }: PageFrame, targets: WebTargets): WebSource => {
  const mode = modeOf(place);
  const { linkTo, done, open, info, success, warning, danger } = place.words;
  return {
    targets,
    words: { linkTo, done, open, info, success, warning, danger },
    language: place.words.language,
    siteUrl: view.base,
    direction: content.direction,
    opensNewWindow: place.look.externalLinks.target === 'blank',
    ...(mode !== 'auto' && { mode }),
  };
};
