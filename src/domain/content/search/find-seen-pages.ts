import { sql } from 'kysely';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { sectionsOf } from '../../../lib/document/sections.ts';
import { type MatchedTerm, type Matcher, matcherOf } from '../../../lib/search/matcher.ts';
import { makeYielder } from '../../../lib/tick.ts';
import type { Context } from '../../../platform/context/context.ts';
import { readCaughtUp } from '../../../platform/reads/read-caught-up.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import { titlesAbove } from '../../store/trees/index.ts';
import { loadRevision } from '../revisions/index.ts';
import { visibleBody } from '../visibility/index.ts';
import { derivedHits } from './derived-hits.ts';
import type { DerivedPage } from './derived-page.ts';
import { derivedPages } from './derived-pages.ts';
import { isPrefix } from './read-terms.ts';
import type { Hit, SearchScope } from './scope.ts';
import { bestHits, type Found, searchPages } from './search-pages.ts';
import type { StoredSection } from './search-sections.ts';
import { withHiddenPages } from './with-hidden-pages.ts';

/** Search results of a caller. */
export interface SeenPages extends Found {
  /**
   * Sections of pages with parts that are hidden from the caller or computed from a source, by `keyOfHit`. Other pages
   * have their stored ones.
   */
  sections: ReadonlyMap<string, readonly StoredSection[]>;
  /** Pages whose text follows from a source, by `keyOfHit`. */
  derived: ReadonlyMap<string, DerivedPage>;
}

export const keyOfHit = ({ spaceId, pageId }: Pick<Hit, 'spaceId' | 'pageId'>) => `${spaceId}/${pageId}`;

/**
 * `searchPages` without what conditions hide from the caller: pages, and `if` blocks of pages. Pages that only match by
 * a block that is hidden are not found.
 */
export async function findSeenPages(ctx: Context, scope: SearchScope, query: string): Promise<SeenPages> {
  const spaces = await withHiddenPages(ctx, scope.spaces);
  const seen = { ...scope, spaces };
  // Both run concurrently, because the database takes most of the time.
  const [indexed, derived] = await Promise.all([findIndexed(ctx, seen, query), derivedPages(ctx, seen)]);
  return withDerived(indexed, derived, query);
}

type Indexed = Omit<SeenPages, 'derived'>;

/** Adds pages whose computed content matches. */
function withDerived(indexed: Indexed, derived: readonly DerivedPage[], query: string): SeenPages {
  if (indexed.terms.length === 0) return { ...indexed, derived: new Map() };
  const pages = new Map(derived.map((page) => [keyOfHit(page), page]));
  const hits = derivedHits([...pages.values()], indexed.terms, query);
  const sections = new Map(indexed.sections);
  for (const [key, page] of pages) if (!sections.has(key)) sections.set(key, page.sections);
  return { terms: indexed.terms, hits: bestHits([...indexed.hits, ...hits]), sections, derived: pages };
}

async function findIndexed(ctx: Context, { spaces, ...scope }: SearchScope, query: string): Promise<Indexed> {
  const result = await readCaughtUp(ctx, (db) => searchPages(db, { ...scope, spaces }, query));
  const readOnly = new Set(spaces.filter(({ findsAll }) => !findsAll).map(({ id }) => id));
  const conditional = await conditionalHits(
    ctx,
    result.hits.filter(({ spaceId }) => readOnly.has(spaceId)),
  );
  if (conditional.length === 0) return { ...result, sections: new Map() };
  const terms = result.terms.map((term) => ({ ...term, isPrefix: isPrefix(term) }));
  const matcher = matcherOf(terms);
  const sections = new Map<string, readonly StoredSection[]>();
  const unmatched = new Set<string>();
  const pause = makeYielder();
  for (let at = 0; at < conditional.length; at += BODIES_AT_ONCE) {
    for (const page of await readPages(ctx, conditional.slice(at, at + BODIES_AT_ONCE))) {
      await pause();
      const seen = await sectionsSeen(ctx, page);
      sections.set(keyOfHit(page), seen);
      if (!matchesAll(page, seen, { terms, matcher })) unmatched.add(keyOfHit(page));
    }
  }
  return { ...result, hits: result.hits.filter((hit) => !unmatched.has(keyOfHit(hit))), sections };
}

/** Bodies can have megabytes. */
const BODIES_AT_ONCE = 20;

interface ConditionalPage {
  spaceId: string;
  pageId: string;
  title: string;
  description: string | null;
  ancestors: string[];
  variables: Record<string, string | number | boolean> | null;
  body: JSONDocument;
}

type PageName = Pick<Hit, 'spaceId' | 'pageId'>;

/** The hits whose pages have `if` blocks. In JSON, quotes inside of texts are escaped. */
async function conditionalHits({ db }: Context, hits: readonly Hit[]): Promise<PageName[]> {
  if (hits.length === 0) return [];
  const { rows } = await sql<PageName>`
    select h.space_id, h.page_id ${headsOf(hits)}
    join document d on d.organization_id = h.organization_id and d.hash = h.document_hash
    where position('"type":"if"' in d.body::text) > 0`.execute(db);
  return rows;
}

/** Pages with their bodies and the titles of their ancestors. */
async function readPages({ db }: Context, names: readonly PageName[]): Promise<ConditionalPage[]> {
  const { rows } = await sql<ConditionalPage>`
    select h.space_id, h.page_id, h.title, n.fields ->> 'description' as description, n.fields -> 'variables' as variables, d.body,
      ${titlesAbove} as ancestors ${headsOf(names)}
    join page_node n on n.organization_id = h.organization_id and n.hash = h.node_hash
    join document d on d.organization_id = h.organization_id and d.hash = h.document_hash`.execute(db);
  return rows;
}

const headsOf = (names: readonly PageName[]) => sql`
  from unnest(${names.map(({ spaceId }) => spaceId)}::text[], ${names.map(({ pageId }) => pageId)}::text[]) as w(space_id, page_id)
  join head_page h on h.space_id = w.space_id and h.page_id = w.page_id`;

async function sectionsSeen(ctx: Context, { spaceId, body, variables }: ConditionalPage): Promise<StoredSection[]> {
  const space = await loadSpace(ctx, spaceId);
  const revision = space && (await loadRevision(ctx, space.revisionId));
  return revision ? sectionsOf(await visibleBody(ctx, revision, body, variables ?? undefined)) : [];
}

function isIn(term: MatchedTerm, texts: readonly string[]): boolean {
  const matcher = matcherOf([term]);
  return texts.some((text) => matcher(text).length > 0);
}

/**
 * Whether the parts of a page that the caller sees, and the titles of its ancestors, contain all terms of the query.
 */
function matchesAll(
  { title, description, ancestors }: ConditionalPage,
  sections: readonly StoredSection[],
  { terms, matcher }: { terms: readonly MatchedTerm[]; matcher: Matcher },
): boolean {
  const inSections = sections.flatMap((section) => [section.title ?? '', section.body]);
  const texts = [title, description ?? '', ...ancestors, ...inSections];
  const found = new Set(texts.flatMap((text) => matcher(text).map(({ term }) => term)));
  // A word that is a form of several terms matches the first of them.
  return terms.every((term, index) => found.has(index) || isIn(term, texts));
}
