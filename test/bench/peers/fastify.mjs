import Fastify from 'fastify';
import { announce, pool } from './contents.mjs';

/* REST by a bare Fastify with `pg`: the members that a row has, without permissions, URLs and counts. */

const time = (column) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const SPACE = `id, title, emoji, edit_mode as "editMode", ${time('created_at')} as "createdAt", ${time('updated_at')} as "updatedAt"`;
const ONE = { name: 'one', text: `select ${SPACE} from space where id = $1` };
const MANY = {
  name: 'many',
  text: `select ${SPACE} from space where organization_id = $1 and deleted_at is null order by space.created_at desc, id desc limit $2`,
};
const present = (row) => ({ object: 'space', ...row });

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
