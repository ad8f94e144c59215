import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { clusterFiles, NAME } from '../../src/platform/database/embedded/cluster.ts';
import { readPostmaster } from '../../src/platform/database/embedded/postmaster.ts';

/** What is not as it must be in the one space that there is, in one snapshot of the database. */
export interface Faults {
  /** Change requests that are half merged: by their status, their revision, the line of heads or their event. */
  halfMerged: string[];
  /** Pages of the head's tree that the projection has otherwise or not at all, or has in its stead. */
  misplaced: string[];
  /** Acknowledged sentences that no page of the head holds exactly once. */
  lost: string[];
}

/** Looks at a database while it is used. */
export async function faultsIn(url: string, spaceId: string, acknowledged: string[]): Promise<Faults> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const read = async (statement: string) => (await client.query<{ value: string }>(statement, [spaceId])).rows;
    const values = async (statement: string) => (await read(statement)).map(({ value }) => value);
    const text = (await values(TEXT)).join('\n');
    return {
      halfMerged: await values(HALF_MERGED),
      misplaced: await values(MISPLACED),
      lost: acknowledged.filter((sentence) => text.split(sentence).length !== 2),
    };
  } finally {
    await client.end();
  }
}

/** The address of the embedded database of a data directory, while it runs. */
export async function addressOf(path: string): Promise<string> {
  const password = (await readFile(join(path, 'postgres', 'password'), 'utf8')).trim();
  const port = (await readPostmaster(clusterFiles({ path })))?.port;
  return `postgresql://${NAME}:${password}@127.0.0.1:${port}/${NAME}`;
}

const TEXT = `
  select d.markdown as value from head_page h
  join document d on d.organization_id = h.organization_id and d.hash = h.document_hash
  where h.space_id = $1`;

const HALF_MERGED = `
  with recursive line as (
    select r.id, r.parents[1] as parent, r.merged_from_id from space s join revision r on r.id = s.revision_id where s.id = $1
    union all
    select r.id, r.parents[1], r.merged_from_id from line join revision r on r.id = line.parent
  )
  select cr.id as value from change_request cr
  where cr.space_id = $1 and case cr.status
    when 'merged' then (select count(*) from line where line.merged_from_id = cr.id and line.id = cr.revision_merged_id) <> 1
      or (select count(*) from event e where e.kind = 'change_request_merged' and e.ids ->> 'changeRequestId' = cr.id) <> 1
    else cr.revision_merged_id is not null or exists (select from revision r where r.merged_from_id = cr.id)
  end`;

const MISPLACED = `
  with recursive tree as (
    select c.hash, null::text as parent_id, (c.place - 1)::int as position, n.organization_id
    from space s join revision r on r.id = s.revision_id
    join page_node n on n.organization_id = r.organization_id and n.hash = r.root_hash
    cross join unnest(n.children) with ordinality as c(hash, place)
    where s.id = $1
    union all
    select c.hash, n.page_id, (c.place - 1)::int, n.organization_id
    from tree t join page_node n on n.organization_id = t.organization_id and n.hash = t.hash
    cross join unnest(n.children) with ordinality as c(hash, place)
  ), placed as (
    select n.page_id, t.parent_id, t.position, n.fields ->> 'title' as title, t.hash as node_hash
    from tree t join page_node n on n.organization_id = t.organization_id and n.hash = t.hash
  ), shown as (
    select page_id, parent_id, position, title, node_hash from head_page where space_id = $1
  )
  select page_id as value from ((table placed except table shown) union all (table shown except table placed)) differing`;
