import { sql } from 'kysely';
import type { Database } from '../../src/platform/database/tables.ts';
import { ON_SPACE } from './fill/discussions.ts';
import { LARGE, ORDINARY } from './fill/fill.ts';

/** A page that a workload reads or writes. */
export interface PageTarget {
  spaceId: string;
  pageId: string;
  path: string;
}

/** What the workloads ask for, all of it visible to both callers. */
export interface Targets {
  organizationIds: string[];
  spaceIds: string[];
  /** The same spaces, with what a client of the tables must know to write into them. */
  writable: { id: string; organizationId: string; revisionId: string; createdBy: string | null }[];
  /** Spaces with a hundred comments. */
  discussedIds: string[];
  /** A page in each of so many spaces of 40 pages. */
  ordinary: PageTarget[];
  /** Pages of the one space of 2,000. */
  large: PageTarget[];
}

const SAMPLE = 100;

/** Picks what to ask for, spread over the database. */
export async function pickTargets(db: Database): Promise<Targets> {
  const organizations = await db.selectFrom('organization').select('id').orderBy('id').execute();
  const spaces = await db
    .selectFrom('space')
    .select(['id', 'organizationId', 'revisionId', 'createdBy'])
    .orderBy(sql`md5(id)`)
    .limit(SAMPLE)
    .execute();
  const { rows: discussed } = await sql<{ id: string }>`
    select space_id as id from comment where change_request_id is null
    group by 1 having count(*) = ${ON_SPACE} order by md5(space_id) limit ${SAMPLE}`.execute(db);
  return {
    discussedIds: discussed.map(({ id }) => id),
    organizationIds: organizations.map(({ id }) => id),
    spaceIds: spaces.map(({ id }) => id),
    writable: spaces,
    ordinary: await pagesOf(db, ORDINARY, sql`partition by h.space_id`),
    large: await pagesOf(db, LARGE, sql`partition by h.page_id`),
  };
}

/** Pages of spaces of a size, the first of each part. */
async function pagesOf(db: Database, size: number, parts: ReturnType<typeof sql>): Promise<PageTarget[]> {
  const { rows } = await sql<PageTarget>`
    select space_id as "spaceId", page_id as "pageId", path
    from (
      select h.*, row_number() over (${parts} order by md5(h.page_id)) as place
      from head_page h
      where h.space_id in (select space_id from head_page group by space_id having count(*) = ${size})
    ) page
    where place = 1
    order by md5(page_id) limit ${SAMPLE}`.execute(db);
  return rows;
}
