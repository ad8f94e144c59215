import { type Html, html } from '../../../lib/document-html/html.ts';

/** A page of the handbook, as it is found. */
export interface FindablePage {
  title: string;
  path: string;
  text: string;
}

const MAX_QUERY = 200;
const MAX_WORDS = 8;
const MAX_RESULTS = 20;
/** Characters of the text before and after the first word found. */
const AROUND = 90;

/** The form of the search, which works without scripts. */
export const searchForm = (action: string, query = ''): Html =>
  html`<form role="search" action="${action}"><input type="search" name="q" maxlength="${MAX_QUERY}" value="${query}" placeholder="Search" aria-label="Search the handbook"></form>`;

/** The pages that contain all words of a query, those with the words in their titles first. */
function findPages(pages: readonly FindablePage[], query: string): FindablePage[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const ranked = pages.flatMap((page) => {
    const [title, text] = [page.title.toLowerCase(), page.text.toLowerCase()];
    if (!words.every((word) => title.includes(word) || text.includes(word))) return [];
    const inTitle = words.filter((word) => title.includes(word)).length;
    const inText = words.reduce((sum, word) => sum + Math.min(9, text.split(word).length - 1), 0);
    return [{ page, score: 100 * inTitle + inText }];
  });
  return ranked
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_RESULTS)
    .map(({ page }) => page);
}

const wordsOf = (query: string): string[] =>
  query.slice(0, MAX_QUERY).toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);

/** The results of a search as the content of a page. */
export function resultsHtml(pages: readonly FindablePage[], query: string): Html {
  const shortQuery = query.slice(0, MAX_QUERY);
  const matches = findPages(pages, query);
  const items = matches.map(
    ({ title, path, text }) => html`<li><a href="${path}">${title}</a><p>${excerptOf(text, wordsOf(query))}</p></li>`,
  );
  return html`<h1>Search</h1>
${matches.length === 0 ? html`<p role="status">No page of the handbook contains “${shortQuery}”.</p>` : html`<p role="status">Pages with “${shortQuery}”:</p><ul class="results">${items}</ul>`}`;
}

function excerptOf(text: string, words: readonly string[]): Html {
  const lower = text.toLowerCase();
  const [first] = words.map((word) => ({ word, at: lower.indexOf(word) })).filter(({ at }) => at >= 0);
  if (!first) return html`${text.slice(0, 2 * AROUND)}…`;
  const { word, at } = first;
  const start = Math.max(0, at - AROUND);
  return html`${start > 0 && '…'}${text.slice(start, at)}<mark>${text.slice(at, at + word.length)}</mark>${text.slice(at + word.length, at + AROUND)}…`;
}
