import { sql } from 'kysely';
import { sha256 } from '../../../lib/canonical.ts';
import { type Matcher, matcherOf } from '../../../lib/search/matcher.ts';
import { makeYielder } from '../../../lib/tick.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { titlesAbove } from '../../store/trees/index.ts';
import { keyOfHit, type SeenPages } from './find-seen-pages.ts';
import { isPrefix } from './read-terms.ts';
import type { Hit } from './scope.ts';
import { type SearchedSection, type StoredSection, searchSections } from './search-sections.ts';

/** A search result for a page. */
export interface SearchedPage {
  /** Page id, unique within the space. */
  id: string;
  /** Identifies the result: the page as this search finds it. */
  resultId: string;
  spaceId: string;
  title: string;
  path: string;
  description: string;
  score: number;
  /** Position in the list of all results, starting at 1. */
  rank: number;
  /** Titles of the ancestors, from the top level down. */
  ancestors: string[];
  /** Whether the title or description matches. */
  isItself: boolean;
  /** Best first. */
  sections: SearchedSection[];
}

/** A hit with its position in the list of all hits. */
export interface PlacedHit extends Hit {
  rank: number;
}

/**
 * An id of a result, unique over the service. `search` names the list and the query: other searches have other
 * excerpts.
 */
export const resultIdOf = (search: string, ...place: string[]): string =>
  `result_${sha256(JSON.stringify([search, ...place])).slice(0, 32)}`;

/**
 * Loads the pages of hits, in their order, with the matching sections. Deleted pages are left out. `search` names the
 * list and the query.
 */
export async function loadFoundPages(
  db: Database,
  hits: readonly PlacedHit[],
  { terms, sections: seen, derived }: Pick<SeenPages, 'terms' | 'sections' | 'derived'>,
  search: string,
) {
  if (hits.length === 0) return [];
  const pages = await readPages(db, hits);
  const sections = await readSections(db, [...pages.values()]);
  const matcher = matcherOf(terms.map((term) => ({ ...term, isPrefix: isPrefix(term) })));
  const pause = makeYielder();
  const results: SearchedPage[] = [];
  for (const hit of hits) {
    const page = pages.get(keyOfHit(hit)) ?? derived.get(keyOfHit(hit));
    const pageSections = seen.get(keyOfHit(hit)) ?? storedOf(sections, page) ?? [];
    const resultId = resultIdOf(search, hit.spaceId, hit.pageId);
    if (page) results.push({ ...resultOf(hit, page, pageSections, matcher), resultId });
    await pause();
  }
  return results;
}

interface StoredPage {
  spaceId: string;
  pageId: string;
  organizationId: string;
  title: string;
  path: string | null;
  description: string | null;
  document: string | null;
  ancestors: string[];
}

const storedOf = (sections: Map<string, StoredSection[]>, page: ResultPage | StoredPage | undefined) =>
  page && 'document' in page ? sections.get(documentKey(page)) : undefined;

type ResultPage = Pick<StoredPage, 'title' | 'path' | 'description' | 'ancestors'>;

const documentKey = ({ organizationId, document }: { organizationId: string; document: string | null }) =>
  `${organizationId}/${document}`;

function resultOf(
  hit: PlacedHit,
  page: ResultPage,
  stored: readonly StoredSection[],
  matcher: Matcher,
): Omit<SearchedPage, 'resultId'> {
  const { pageId, spaceId, score, rank } = hit;
  const { title, path, ancestors } = page;
  const description = page.description ?? '';
  const isItself = matcher(`${title}\n${description}`).length > 0;
  const sections = searchSections(stored, matcher);
  return { id: pageId, spaceId, title, path: path ?? '', description, score, rank, ancestors, isItself, sections };
}

async function readPages(db: Database, hits: readonly Hit[]): Promise<Map<string, StoredPage>> {
  const [spaceIds, pageIds] = [hits.map(({ spaceId }) => spaceId), hits.map(({ pageId }) => pageId)];
  const { rows } = await sql<StoredPage>`
    select h.space_id as "spaceId", h.page_id as "pageId", h.organization_id as "organizationId", h.title, h.path,
      n.fields ->> 'description' as description, encode(h.document_hash, 'hex') as document,
      ${titlesAbove} as ancestors
    from unnest(${spaceIds}::text[], ${pageIds}::text[]) as w(space_id, page_id)
    join head_page h on h.space_id = w.space_id and h.page_id = w.page_id
    join page_node n on n.organization_id = h.organization_id and n.hash = h.node_hash`.execute(db);
  return new Map(rows.map((row) => [keyOfHit(row), row]));
}

/** Characters of a page that are searched for excerpts. */
const MAX_CHARACTERS = 60_000;

async function readSections(db: Database, pages: readonly StoredPage[]): Promise<Map<string, StoredSection[]>> {
  const documents = new Map(pages.filter(({ document }) => document !== null).map((page) => [documentKey(page), page]));
  const distinctPages = [...documents.values()];
  if (distinctPages.length === 0) return new Map();
  const [organizationIds, hashes] = [
    distinctPages.map((page) => page.organizationId),
    distinctPages.map((page) => page.document),
  ];
  const { rows } = await sql<StoredSection & { organizationId: string; document: string }>`
    select w.organization_id as "organizationId", w.document, s.anchor, s.title, left(s.body, ${sql.lit(MAX_CHARACTERS)}) as body
    from unnest(${organizationIds}::text[], ${hashes}::text[]) as w(organization_id, document)
    cross join lateral (
      select d.anchor, d.title, d.body, d.position, sum(length(d.body) + 1) over (order by d.position) - length(d.body) as "before"
      from document_section d
      where d.organization_id = w.organization_id and d.document_hash = decode(w.document, 'hex')) s
    where s."before" <= ${sql.lit(MAX_CHARACTERS)}
    order by w.document, s.position`.execute(db);
  return Map.groupBy(rows, documentKey);
}
