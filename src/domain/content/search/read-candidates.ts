import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../platform/database/tables.ts';
import { type Conditions, LEVELS, type Level } from './levels.ts';
import { hiddenPagesOf, type SearchScope } from './scope.ts';

/** A page that may match, with what its relevance follows from. */
export interface Candidate {
  spaceId: string;
  pageId: string;
  level: Level;
  /** Number of words of the page. */
  length: number;
  /** The part of the page where the words of the query are adjacent. */
  phrase: 'title' | 'heading' | 'body' | 'loose' | null;
  /** Frequency and proximity of the terms: 1 for each place where they are adjacent. */
  closeness: number;
  title: string;
  /** Titles of the parent and its parent. */
  ancestors: string[];
}

/** Maximum number of results. Pages beyond it match no better than those that are returned. */
export const MAX_HITS = 200;

/** Candidates that are looked at last. */
const PART = LEVELS.indexOf('partOfTitle');

/** Candidates beyond it are ranked only by their level. */
const MAX_CLOSE = 150;

/**
 * Reads up to 400 pages that match, with their levels. If the query has several words, the places where they occur are
 * read for the best 150.
 */
export async function readCandidates(
  db: Database,
  { organizationId, spaces }: SearchScope,
  { levels, phrase, terms }: Conditions,
): Promise<Candidate[]> {
  if (levels.length === 0) return [];
  const hidden = hiddenPagesOf(spaces);
  const isSeen = hidden ? sql`and (p.space_id, p.page_id) not in (select space_id, page_id from hidden_page)` : sql``;
  const branches = levels.map(([level, condition]) => branch(condition, LEVELS.indexOf(level), organizationId, isSeen));
  const all = spaces.map(({ id }) => id);
  const open = spaces.filter(({ findsAll }) => findsAll).map(({ id }) => id);
  // PostgreSQL reads the levels in order and stops at the limit, so it skips the last levels of common words.
  const { rows } = await sql<Omit<Candidate, 'level'> & { level: number }>`
    with searched as materialized (
      select id, id = any(${open}::text[]) as finds_all from unnest(${all}::text[]) as s(id)
    ), hidden_page as materialized (
      select * from unnest(${hidden?.spaceIds ?? []}::text[], ${hidden?.pageIds ?? []}::text[]) as h(space_id, page_id)
    ), matching as materialized (
      select * from (${sql.join(branches, sql` union all `)}) b
      limit ${sql.lit(2 * MAX_HITS)}
    ), candidate as materialized (
      select m.*, row_number() over (order by level = ${sql.lit(PART)}, level, length) as place
      from (select distinct on (space_id, page_id) * from matching order by space_id, page_id, level) m
    )
    select c.space_id as "spaceId", c.page_id as "pageId", c.level, c.length, ${phrase ? details(phrase, terms) : PLAIN}
    from candidate c ${phrase ? WITH_PLACES : sql``}`.execute(db);
  return rows.map((row) => ({ ...row, level: LEVELS[row.level] ?? 'allAnywhere' }));
}

function branch(
  condition: string,
  index: number,
  organizationId: string,
  isSeen: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`(
    select p.space_id, p.page_id, p.entry_id, ${sql.lit(index)} as level, e.length
    from search_entry e join search_page p on p.entry_id = e.id
    where e.words @@ ${condition}::tsquery and e.organization_id = ${organizationId}
      and case when p.no_index then p.space_id in (select id from searched where finds_all)
        else p.space_id in (select id from searched) end ${isSeen}
    limit ${sql.lit(MAX_HITS)})`;
}

const PLAIN = sql`null as phrase, 0 as closeness, '' as title, array[]::text[] as ancestors`;

const WITH_PLACES = sql`
    left join lateral (
      -- Computed again, since the stored value is decompressed by every condition that reads it.
      select e.words || ''::tsvector as words from search_entry e
      where e.id = c.entry_id and c.place <= ${sql.lit(MAX_CLOSE)} offset 0
    ) e on true
    left join head_page h on h.space_id = c.space_id and h.page_id = c.page_id
    left join head_page up on up.space_id = c.space_id and up.page_id = h.parent_id
    left join head_page top on top.space_id = c.space_id and top.page_id = up.parent_id`;

/** The index checks conditions without positions only, so phrases are looked for in the pages that were found. */
const details = ({ exactly, anywhere, inTitle, inHeading }: NonNullable<Conditions['phrase']>, terms: string) => sql`
      case when e.words is null or not e.words @@ ${anywhere}::tsquery then null
        when e.words @@ ${inTitle}::tsquery then 'title' when e.words @@ ${inHeading}::tsquery then 'heading'
        when e.words @@ ${exactly}::tsquery then 'body' else 'loose' end as phrase,
      coalesce(ts_rank_cd('{1,1,1,1}', e.words, ${terms}::tsquery), 0) as closeness,
      coalesce(h.title, '') as title, array_remove(array[up.title, top.title], null) as ancestors`;
