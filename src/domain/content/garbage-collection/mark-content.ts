import { sql } from 'kysely';
import type { Database } from '../../../platform/database/tables.ts';

/** A garbage collection run over one organization. */
export interface CollectionRun {
  runId: string;
  organizationId: string;
}

/** Number of revisions that one statement looks at. */
const REVISIONS_PER_STATEMENT = 5_000;

/** Number of marks that one statement removes. An organization can have millions. */
const MARKS_PER_STATEMENT = 50_000;

/** Number of nodes whose references one statement follows. A node has up to 1,000 references. */
const NODES_PER_STATEMENT = 200;

/** Marks the run as active. As long as this row exists, no marks of the run have been removed. */
export const beginMarks = (db: Database, { runId }: CollectionRun) =>
  db
    .insertInto('content_mark')
    .values({ runId, kind: 'run', hash: Buffer.alloc(0), isExpanded: true })
    .execute();

/**
 * Whether all marks of the run still exist. A crash of the database empties the table, and removing the marks of dead
 * runs starts with this row. In a transaction, the row is locked until the transaction ends.
 */
export async function hasMarks(db: Database, { runId }: CollectionRun): Promise<boolean> {
  const query = db.selectFrom('content_mark').where('runId', '=', runId).where('kind', '=', 'run').select('runId');
  return (await query.forKeyShare().executeTakeFirst()) !== undefined;
}

export async function removeMarks(db: Database, runId: string): Promise<void> {
  await db.deleteFrom('content_mark').where('runId', '=', runId).where('kind', '=', 'run').execute();
  for (let removed = MARKS_PER_STATEMENT; removed === MARKS_PER_STATEMENT; ) {
    const { numAffectedRows } = await sql`
      delete from content_mark where ctid = any(array(
        select m.ctid from content_mark m where m.run_id = ${runId} limit ${sql.lit(MARKS_PER_STATEMENT)}))`.execute(
      db,
    );
    removed = Number(numAffectedRows);
  }
}

/** Marks the contents of uploads. */
export async function markUploads(db: Database, { runId, organizationId }: CollectionRun): Promise<void> {
  await sql`
    insert into content_mark (run_id, kind, hash, is_expanded)
    select distinct ${runId}, 'blob', u.blob_hash, true from upload u
    where u.organization_id = ${organizationId} and u.blob_hash is not null
    on conflict do nothing`.execute(db);
}

/**
 * Marks the roots of the next revisions after an id. Returns the last id, undefined at the end, and the number of
 * revisions that the run had not seen yet. `offset 0` forces an index lookup per revision, because PostgreSQL has no
 * statistics about fresh marks to plan a join with.
 */
export async function markRevisions(
  db: Database,
  { runId, organizationId }: CollectionRun,
  after: string,
): Promise<{ last: string | undefined; fresh: number }> {
  const { rows } = await sql<{ last: string | null; looked: number; fresh: number }>`
    with looked as materialized (
      select r.id from revision r where r.organization_id = ${organizationId} and r.id > ${after}
      order by r.id limit ${sql.lit(REVISIONS_PER_STATEMENT)}
    ), fresh as materialized (
      select r.id, r.root_hash, r.files_hash, r.reusable_contents_hash, r.variables_hash, r.tags_hash
      from looked l cross join lateral (select * from revision where id = l.id offset 0) r where not exists (
        select from content_mark m
        where m.run_id = ${runId} and m.kind = 'revision' and m.hash = convert_to(l.id, 'UTF8') offset 0)
    ), marked as (
      insert into content_mark (run_id, kind, hash, is_expanded)
      select distinct ${runId}, n.kind, n.hash, n.kind = 'revision'
      from fresh f cross join lateral (values ('revision', convert_to(f.id, 'UTF8')), ('page', f.root_hash),
        ('files', f.files_hash), ('contents', f.reusable_contents_hash), ('variables', f.variables_hash),
        ('tags', f.tags_hash)) as n(kind, hash)
      where n.hash is not null
      on conflict do nothing
    )
    select (select l.id from looked l order by l.id desc limit 1) as last,
      (select count(*)::int from looked) as looked, (select count(*)::int from fresh) as fresh`.execute(db);
  const { last, looked, fresh } = rows[0] ?? { last: null, looked: 0, fresh: 0 };
  return { last: looked === REVISIONS_PER_STATEMENT && last !== null ? last : undefined, fresh };
}

/**
 * Marks the content that some of the marked nodes refer to. Returns whether there may be more nodes. Marks are never
 * removed during a run.
 */
export async function expandMarks(db: Database, { runId, organizationId }: CollectionRun): Promise<boolean> {
  const { rows } = await sql<{ expanded: number }>`
    with batch as materialized (
      select m.kind, m.hash from content_mark m where m.run_id = ${runId} and not m.is_expanded limit ${sql.lit(NODES_PER_STATEMENT)}
    ), done as (
      update content_mark m set is_expanded = true from batch b
      where m.run_id = ${runId} and m.kind = b.kind and m.hash = b.hash
    ), page as (
      select n.children, n.document_hash, n.source_hash from batch b
      join page_node n on n.organization_id = ${organizationId} and n.hash = b.hash where b.kind = 'page'
    ), manifest as (
      select b.kind, n.body from batch b
      join manifest_node n on n.organization_id = ${organizationId} and n.hash = b.hash where b.kind <> 'page'
    ), reached as (
      select 'page' as kind, c.hash from page p cross join unnest(p.children) as c(hash)
      union select 'document', p.document_hash from page p where p.document_hash is not null
      union select 'source', p.source_hash from page p where p.source_hash is not null
      union select m.kind, decode(c ->> 'hash', 'hex') from manifest m cross join json_array_elements(m.body -> 'children') c
        where json_typeof(c) = 'object'
      union select 'blob', decode(e ->> 'blob', 'hex') from manifest m cross join json_array_elements(m.body -> 'entries') e
        where m.kind = 'files' and e ->> 'blob' is not null
      union select 'document', decode(e ->> 'documentHash', 'hex')
        from manifest m cross join json_array_elements(m.body -> 'entries') e
        where m.kind = 'contents' and e ->> 'documentHash' is not null
      union select 'source', decode(e ->> 'sourceHash', 'hex')
        from manifest m cross join json_array_elements(m.body -> 'entries') e
        where m.kind = 'contents' and e ->> 'sourceHash' is not null
    ), marked as (
      insert into content_mark (run_id, kind, hash, is_expanded)
      select ${runId}, r.kind, r.hash, r.kind in ('document', 'source', 'blob') from reached r
      on conflict do nothing
    )
    select count(*)::int as expanded from batch`.execute(db);
  return (rows[0]?.expanded ?? 0) > 0;
}
