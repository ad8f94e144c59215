import type { ContentRef } from '../../../lib/document/content-ref.ts';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { titleLine } from '../../../lib/document/markdown/title-line.ts';
import { withoutTitleHeading, withReadableLinks } from '../../../lib/document/readable-links.ts';
import { mapReferences } from '../../../lib/document/references.ts';
import { stableUrl } from '../../../lib/document/stable-url.ts';
import { makeYielder } from '../../../lib/tick.ts';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import { pageBody, viewOf } from '../../content/pages/index.ts';
import { printRendered, renderBody } from '../../content/rendering/index.ts';
import { type SiteSpaceRow, urlPathIn } from '../structure/index.ts';
import { type CachedResponse, cachedFragment, cachedResponse, type SiteResponse } from './cache.ts';
import { fragmentCacheKey } from './cache-key.ts';
import { type PageTree, pageTreeOf } from './page-tree.ts';
import { searchSite } from './search-page.ts';
import { pathOfPage, type SiteView, spaceIn } from './site-view.ts';
import { cachedFor, documentTargets } from './targets.ts';

const MARKDOWN_TYPE = { 'content-type': 'text/markdown; charset=utf-8' };

const MAX_SUGGESTIONS = 10;
/** Characters of a path whose words are searched. */
const MAX_PATH = 1_000;

/** Text on one line, for titles and labels of links. */
const line = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[[\]\\]/g, '\\$&')
    .trim();

/** A page of a place of the site. */
export interface PageOnSite {
  tree: PageTree;
  page: LoadedPage;
  /** The segments of the place. */
  segments: readonly string[];
}

/** A page as Markdown, and how long it is cached, as `SiteResponse.cacheMs`. */
interface PageMarkdown {
  text: string;
  cacheMs?: number;
}

/** A page as Markdown: its title, its description and its body. Links are absolute and lead to Markdown. */
export async function pageMarkdown(view: SiteView, { tree, page, segments }: PageOnSite): Promise<PageMarkdown> {
  const of = pageBody(viewOf(page, tree.revision));
  const document = await renderBody(view.ctx, of, { evaluated: 'true', dereferenced: 'true' });
  const origin = { tree, spaceId: tree.revision.spaceId, segments, isMarkdown: true } as const;
  const targets = new Map(Object.entries(await documentTargets(view, origin, document, [])));
  const targetOf = (ref: ContentRef) => (ref.kind === 'url' ? urlTarget(ref.url) : targets.get(stableUrl(ref)));
  const readable = withReadableLinks(absolutely(withoutTitleHeading(document, page.title), view.url), targetOf);
  const links = Object.fromEntries([...targets].flatMap(([key, { url }]) => (url === undefined ? [] : [[key, url]])));
  const body = await printRendered(view.ctx, of, readable, { links });
  const description = page.node.kind === 'document' ? page.node.fields.description : undefined;
  const parts = [titleLine(page.title), ...(description ? [description] : []), body.trim()].filter(Boolean);
  return { text: `${parts.join('\n\n')}\n`, ...cachedFor(document) };
}

/** URLs with a scheme or a host. Relative ones lead to nothing. */
const urlTarget = (url: string) => (/^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(url) ? { label: url, url } : undefined);

/** The document with paths of the site as URLs. */
const absolutely = (document: JSONDocument, siteUrl: string): JSONDocument =>
  mapReferences(document, (ref) =>
    ref.kind === 'url' && /^\/(?![/\\])/.test(ref.url) ? { kind: 'url', url: `${siteUrl}${ref.url}` } : ref,
  );

export async function markdownPage(view: SiteView, placed: PageOnSite): Promise<SiteResponse> {
  const { text, ...caching } = await pageMarkdown(view, placed);
  return { status: 200, headers: MARKDOWN_TYPE, body: text, ...caching };
}

/** Suggestions are cached for a minute, because the search index lags the content by some seconds. */
const SUGGESTIONS_CACHE_MS = 60_000;

/** The response to agents that ask for a page that does not exist: pages that they may have meant. */
export function suggestions(view: SiteView, path: readonly string[]): Promise<CachedResponse> {
  const words = path
    .join(' ')
    .slice(0, MAX_PATH)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .slice(0, 200)
    .trim();
  return cachedFragment(view.ctx, fragmentCacheKey(view, ['suggestions', words], 'made up'), (ctx) =>
    findSuggestions({ ...view, ctx }, words),
  );
}

async function findSuggestions(view: SiteView, words: string): Promise<SiteResponse> {
  const spaces = words === '' ? [] : await searchSite(view, words);
  const pages = spaces.flatMap(({ id, pages: spacePages }) => {
    const siteSpace = view.structure.siteSpaces.find(({ spaceId }) => spaceId === id);
    const segments = siteSpace && urlPathIn(view.structure, siteSpace);
    return segments
      ? spacePages.map(({ title, path: to }) => `- [${line(title)}](${view.url}${pathOfPage(segments, to)}.md)`)
      : [];
  });
  const body = [
    '# Page not found',
    'There is no page at this address.',
    ...(pages.length > 0 ? ['Pages that match its words:', pages.slice(0, MAX_SUGGESTIONS).join('\n')] : []),
    `All pages: ${view.url}/llms.txt`,
  ];
  return {
    status: 200,
    headers: { ...MARKDOWN_TYPE, 'cache-control': 'no-store', 'x-robots-tag': 'noindex' },
    body: `${body.join('\n\n')}\n`,
    cacheMs: SUGGESTIONS_CACHE_MS,
  };
}

/** A space of the site with its pages, at the first of its places. */
interface Shown {
  title: string;
  tree: PageTree;
  segments: string[];
}

/** Number of places whose pages are listed for agents. */
const MAX_PLACES = 500;
/** Pages or places that are read at once. */
const READS_PER_BATCH = 10;

/** The spaces of a site with their pages, in the order of their places. */
async function placesOf(view: SiteView): Promise<Shown[]> {
  const seen = new Set<string>();
  const rows = view.structure.siteSpaces.filter(({ spaceId }) => !seen.has(spaceId) && seen.add(spaceId));
  const places: Shown[] = [];
  for (let from = 0; from < Math.min(rows.length, MAX_PLACES); from += READS_PER_BATCH) {
    const some = rows.slice(from, Math.min(from + READS_PER_BATCH, MAX_PLACES));
    places.push(...(await Promise.all(some.map((row) => shownAt(view, row)))).flat());
  }
  return places;
}

async function shownAt(view: SiteView, row: SiteSpaceRow): Promise<Shown[]> {
  const space = await spaceIn(view, row.spaceId);
  const tree = space && (await pageTreeOf(view.ctx, space));
  return space && tree ? [{ title: space.title, tree, segments: urlPathIn(view.structure, row) }] : [];
}

/** `llms.txt` (llmstxt.org), and the same as `sitemap.md`: all listed pages, as links to their Markdown. */
export const llmsTxt = (view: SiteView): Promise<CachedResponse> =>
  cachedResponse(view.ctx, fragmentCacheKey(view, ['all pages']), (ctx) => listPages({ ...view, ctx }));

async function listPages(view: SiteView): Promise<SiteResponse> {
  const places = await placesOf(view);
  const parts = places.map(({ title, tree, segments }) => {
    const items = tree.documents.map((page) => {
      const depth = tree.pathTo(page).filter(({ kind }) => kind === 'document').length - 1;
      const description = page.node.kind === 'document' && page.node.fields.description;
      const url = `${view.url}${pathOfPage(segments, page.path ?? '')}.md`;
      return `${'  '.repeat(depth)}- [${line(page.title)}](${url})${description ? `: ${line(description)}` : ''}`;
    });
    return [`## ${line(title)}`, items.join('\n')].join('\n\n');
  });
  return { status: 200, headers: MARKDOWN_TYPE, body: `${[`# ${line(view.site.title)}`, ...parts].join('\n\n')}\n` };
}

export const PAGES_PER_PART = 100;
/**
 * Size above which a part is split, in bytes: small enough to be hashed in one tick of the event loop, and to be
 * cached.
 */
const MAX_PART_BYTES = 4_000_000;
const BETWEEN_PAGES = '\n---\n\n';

/**
 * A part of all pages of the site as Markdown, with 100 pages, hidden ones too. `part` begins at 1. A part that is too
 * long ends with the address of its rest, which begins with a later page of it: `from`. Undefined beyond the last page.
 */
export async function llmsFull(view: SiteView, part: number, from: number): Promise<SiteResponse | undefined> {
  const all = (await placesOf(view)).flatMap(({ tree, segments }) =>
    tree.pages.filter(({ kind }) => kind === 'document').map((page) => ({ tree, page, segments })),
  );
  const end = part * PAGES_PER_PART;
  const pages = all.slice(end - PAGES_PER_PART + from - 1, end);
  if (pages.length === 0 && (part > 1 || from > 1)) return undefined;
  const { maxResponseBytes } = view.ctx.services.config;
  const shown = await textsOf(view, pages, Math.min(MAX_PART_BYTES, maxResponseBytes / 2));
  const texts = shown.map(({ text }) => text);
  const caching = shown.find(({ cacheMs }) => cacheMs !== undefined);
  const rest = texts.length < pages.length ? `${part}/${from + texts.length}` : `${part + 1}`;
  const hasMore = texts.length < pages.length || end < all.length;
  const next = hasMore ? [`Next pages: ${view.url}/llms-full.txt/${rest}\n`] : [];
  const body = await joined([...texts, ...next], BETWEEN_PAGES);
  return { status: 200, headers: MARKDOWN_TYPE, body, ...(caching?.cacheMs && { cacheMs: caching.cacheMs }) };
}

/** Long texts as one, in UTF-8, written between other work. */
async function joined(texts: readonly string[], separator: string): Promise<Buffer> {
  const pause = makeYielder();
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + separator.length, 0);
  const buffer = Buffer.allocUnsafeSlow(bytes);
  let end = 0;
  for (const [index, text] of texts.entries()) {
    await pause();
    end += buffer.write(index === 0 ? text : `${separator}${text}`, end);
  }
  return buffer.subarray(0, end);
}

/** The first pages that fit in a number of bytes together, at least one. */
async function textsOf(view: SiteView, pages: readonly PageOnSite[], maxBytes: number): Promise<PageMarkdown[]> {
  const texts: PageMarkdown[] = [];
  let bytes = 0;
  for (let start = 0; start < pages.length; start += READS_PER_BATCH) {
    const few = pages.slice(start, start + READS_PER_BATCH);
    const read = await Promise.all(
      few.map(async (placed) => {
        const { page, segments } = placed;
        const { text, ...caching } = await pageMarkdown(view, placed);
        const source = `${view.url}${pathOfPage(segments, page.path ?? '')}`;
        return { text: text.replace('\n', () => `\n\nSource: ${source}\n`), ...caching };
      }),
    );
    for (const shown of read) {
      bytes += Buffer.byteLength(shown.text) + BETWEEN_PAGES.length;
      if (bytes > maxBytes && texts.length > 0) return texts;
      texts.push(shown);
    }
  }
  return texts;
}
