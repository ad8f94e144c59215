import type { LoadedPage } from '../../../lib/tree/rows.ts';
import { bodyOf, viewOf } from '../../content/pages/index.ts';
import { showMarkdown } from '../../content/rendering/index.ts';
import { urlPathIn } from '../structure/index.ts';
import { type KeptAnswer, keptAnswer, type SiteAnswer } from './cache.ts';
import { keptOf } from './kept-by.ts';
import { type PageTree, pageTreeOf } from './page-tree.ts';
import { search } from './search-page.ts';
import { type Place, pathOfPage, placeAt, type SiteView } from './site-view.ts';

export const MARKDOWN_TYPE = { 'content-type': 'text/markdown; charset=utf-8' };

const MAX_SUGGESTIONS = 10;
/** Characters of a path whose words are searched. */
const MAX_PATH = 1_000;

/** Text on one line, for titles and labels of links. */
const line = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[[\]\\]/g, '\\$&')
    .trim();

/** A page as Markdown: its title, its description and its body. */
export async function markdownOf({ ctx }: SiteView, tree: PageTree, page: LoadedPage): Promise<string> {
  const reading = { evaluated: 'true', dereferenced: 'true', references: 'relative' } as const;
  const body = await showMarkdown(ctx, bodyOf(viewOf(page, tree.revision)), reading);
  const description = page.node.kind === 'document' ? page.node.fields.description : undefined;
  return [`# ${line(page.title)}`, ...(description ? [description] : []), body.trim()]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n');
}

export async function markdownPage(view: SiteView, tree: PageTree, page: LoadedPage): Promise<SiteAnswer> {
  return { status: 200, headers: MARKDOWN_TYPE, body: await markdownOf(view, tree, page) };
}

/** Suggestions are kept for a minute, since the search index follows the content by some seconds. */
const SUGGESTIONS_KEPT_MS = 60_000;

/** The answer to agents that ask for a page that does not exist: pages that they may have meant. */
export function suggestions(view: SiteView, path: readonly string[]): Promise<KeptAnswer> {
  const words = path
    .join(' ')
    .slice(0, MAX_PATH)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .slice(0, 200)
    .trim();
  return keptAnswer(keptOf(view, ['suggestions', words], 'made up'), () => findSuggestions(view, words));
}

async function findSuggestions(view: SiteView, words: string): Promise<SiteAnswer> {
  const found = words === '' ? [] : await search(view, words);
  const pages = found.flatMap(({ id, pages: own }) => {
    const siteSpace = view.structure.siteSpaces.find(({ spaceId }) => spaceId === id);
    const segments = siteSpace && urlPathIn(view.structure, siteSpace);
    return segments
      ? own.map(({ title, path: to }) => `- [${line(title)}](${view.url}${pathOfPage(segments, to)}.md)`)
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
    keptFor: SUGGESTIONS_KEPT_MS,
  };
}

/** A place of the site, with its pages. */
interface Shown {
  place: Place;
  tree: PageTree;
  segments: string[];
}

/** Number of places whose pages are listed for agents. */
const MAX_PLACES = 500;
/** Pages or places that are read at once. */
const AT_ONCE = 10;

/** The places of a site with their pages, in order. Places with the same space have it once. */
async function placesOf(view: SiteView): Promise<Shown[]> {
  const seen = new Set<string>();
  const rows = view.structure.siteSpaces.filter(({ spaceId }) => !seen.has(spaceId) && seen.add(spaceId));
  const places: Shown[] = [];
  for (let from = 0; from < Math.min(rows.length, MAX_PLACES); from += AT_ONCE) {
    const some = rows.slice(from, Math.min(from + AT_ONCE, MAX_PLACES));
    places.push(...(await Promise.all(some.map((row) => shownAt(view, urlPathIn(view.structure, row))))).flat());
  }
  return places;
}

async function shownAt(view: SiteView, segments: string[]): Promise<Shown[]> {
  const place = await placeAt(view, segments);
  const tree = place && (await pageTreeOf(view.ctx, place.space));
  return place && tree ? [{ place, tree, segments }] : [];
}

/** `llms.txt` (llmstxt.org), and the same as `sitemap.md`: all listed pages, as links to their Markdown. */
export const llmsTxt = (view: SiteView): Promise<KeptAnswer> =>
  keptAnswer(keptOf(view, ['all pages']), () => listPages(view));

async function listPages(view: SiteView): Promise<SiteAnswer> {
  const places = await placesOf(view);
  const parts = places.map(({ place, tree, segments }) => {
    const items = tree.documents.map((page) => {
      const depth = tree.wayTo(page).filter(({ kind }) => kind === 'document').length - 1;
      const description = page.node.kind === 'document' && page.node.fields.description;
      const url = `${view.url}${pathOfPage(segments, page.path ?? '')}.md`;
      return `${'  '.repeat(depth)}- [${line(page.title)}](${url})${description ? `: ${line(description)}` : ''}`;
    });
    return [`## ${line(place.space.title)}`, items.join('\n')].join('\n\n');
  });
  return { status: 200, headers: MARKDOWN_TYPE, body: `${[`# ${line(view.site.title)}`, ...parts].join('\n\n')}\n` };
}

const PAGES_PER_PART = 100;

/**
 * A part of all pages of the site as Markdown, with 100 pages, hidden ones too. `part` begins at 1. Undefined beyond the
 * last part.
 */
export async function llmsFull(view: SiteView, part: number): Promise<SiteAnswer | undefined> {
  const all = (await placesOf(view)).flatMap(({ tree, segments }) =>
    tree.pages.filter(({ kind }) => kind === 'document').map((page) => ({ tree, page, segments })),
  );
  const start = (part - 1) * PAGES_PER_PART;
  const some = all.slice(start, start + PAGES_PER_PART);
  if (some.length === 0 && part > 1) return undefined;
  const texts: string[] = [];
  for (let from = 0; from < some.length; from += AT_ONCE) {
    const few = some.slice(from, from + AT_ONCE);
    texts.push(...(await Promise.all(few.map(({ tree, page }) => markdownOf(view, tree, page)))));
  }
  const next = start + PAGES_PER_PART < all.length ? [`Next pages: ${view.url}/llms-full.txt/${part + 1}\n`] : [];
  const sourced = texts.map((text, index) => {
    const { segments = [], page } = some[index] ?? {};
    return text.replace('\n', `\n\nSource: ${view.url}${pathOfPage(segments, page?.path ?? '')}\n`);
  });
  return { status: 200, headers: MARKDOWN_TYPE, body: [...sourced, ...next].join('\n---\n\n') };
}
