import Fastify from 'fastify';
import { announce, pool } from './contents.mjs';

/* REST by a bare Fastify with `pg`: the members that the row of a space has. See NOT_OF_THE_ROW in `workloads.ts`. */

const time = (column) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const SPACE = `id, title, emoji, language, edit_mode as "editMode", merge_rules as "mergeRules", organization_id as organization,
  revision_id as revision, coalesce(default_level::text, 'inherit') as "defaultLevel", ${time('created_at')} as "createdAt",
  ${time('updated_at')} as "updatedAt", ${time('deleted_at')} as "deletedAt"`;
const ONE = { name: 'one', text: `select ${SPACE} from space where id = $1` };
const MANY = {
  name: 'many',
  text: `select ${SPACE} from space where organization_id = $1 and deleted_at is null order by space.created_at desc, id desc limit $2`,
};
/** Members without a value are left out. */
const present = ({ language, deletedAt, ...row }) => ({
  object: 'space',
  ...row,
  ...(language !== null && { language }),
  ...(deletedAt !== null && { deletedAt }),
});

const app = Fastify({ forceCloseConnections: true });
app.get('/v1/spaces/:id', async ({ params }) => {
  const { rows } = await pool.query({ ...ONE, values: [params.id] });
  return present(rows[0]);
});
app.get('/v1/orgs/:id/spaces', async ({ params, query }) => {
  const { rows } = await pool.query({ ...MANY, values: [params.id, query.limit] });
  return { items: rows.map(present) };
});
await app.listen({ port: 0, host: '127.0.0.1' });
announce(app.server.address().port, () => app.close());
