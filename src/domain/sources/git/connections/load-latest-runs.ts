import { sql } from 'kysely';
import { sharedLoader } from '../../../../platform/reads/loader.ts';
import { GIT_RUN_COLUMNS, type GitRunRow } from '../access.ts';

const LATEST_RUNS = 10;
const COLUMNS = sql.join(GIT_RUN_COLUMNS.map((column) => sql.ref(`g.${column}`)));

/**
 * The latest runs of connections, newest first, batched and without a permission check: the caller has loaded the
 * connection.
 */
export const loadLatestRuns = sharedLoader<GitRunRow[]>('latest runs of a connection', async (db, ids) => {
  const { rows } = await sql<GitRunRow>`
    select r.* from git_connection c
    cross join lateral (
      select ${COLUMNS} from git_run g where g.space_id = c.space_id and g.connection_id = c.id
      order by g.created_at desc, g.id desc limit ${LATEST_RUNS}) r
    where c.id = any(${ids}::text[]) order by r.created_at desc, r.id desc`.execute(db);
  return Map.groupBy(rows, ({ connectionId }) => connectionId ?? '');
});
