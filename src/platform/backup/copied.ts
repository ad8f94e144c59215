import pg from 'pg';
import { JOBS_SCHEMA } from '../database/jobs-schema.ts';

/** A relation whose rows are in a backup. */
export interface Copied {
  /** Name in the archive. */
  name: string;
  columns: string[];
  /** The relation in SQL. */
  relation: string;
  /** The query for the rows to copy. */
  select: string;
}

export const JOBS = `${JOBS_SCHEMA}.job`;

const quoted = (name: string) => pg.escapeIdentifier(name);

/** A table of the service. */
export function copiedTable(name: string, columns: string[]): Copied {
  const relation = `public.${quoted(name)}`;
  return { name, columns, relation, select: `select ${columns.map(quoted).join(', ')} from ${relation}` };
}

/**
 * Waiting, running and dead jobs. Running jobs are copied as waiting, since no process would finish them; jobs can run
 * twice. Other data of the queue is recreated.
 */
export function copiedJobs(columns: string[] = JOB_COLUMNS): Copied {
  const values = columns.map((column) => (column === 'state' ? WAITING_STATE : quoted(column)));
  const select = `select ${values.join(', ')} from ${JOBS} where state < 'completed' and name not like '\\_\\_%'`;
  return { name: JOBS, columns, relation: JOBS, select };
}

const WAITING_STATE = `case state when 'active' then 'retry' else state end`;

const JOB_COLUMNS = [
  ...['id', 'name', 'priority', 'data', 'state', 'policy', 'created_on', 'start_after', 'keep_until'],
  ...['retry_limit', 'retry_count', 'retry_delay', 'retry_backoff', 'retry_delay_max', 'dead_letter', 'output'],
  ...['expire_seconds', 'deletion_seconds', 'heartbeat_seconds', 'singleton_key', 'singleton_on', 'group_id'],
  ...['group_tier', 'source_name', 'source_id', 'source_created_on', 'source_retry_count', 'source_output'],
  'source_root_id',
];

export const columnList = ({ columns }: Copied) => columns.map(quoted).join(', ');

/** The tables in `public` that do not belong to an extension, with their columns except generated ones. */
export async function tablesIn(client: pg.ClientBase | pg.Pool): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(`
    select c.relname as name,
      (select json_agg(a.attname order by a.attnum) from pg_attribute a
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by c.relname`);
  return new Map(rows.map(({ name, columns }) => [name, columns ?? []]));
}
