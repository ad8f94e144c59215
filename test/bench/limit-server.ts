import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { LIMIT_STATEMENTS } from './limit-statements.ts';

/**
 * What nobody can do less than: a bare server that passes on the JSON that one statement builds in the database. It
 * checks no token and no permission. The path names the statement and its parameter.
 */
// Contestants take turns, and the database has connections for a few of them.
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20, idleTimeoutMillis: 500 });

const server = createServer(async (request, response) => {
  const [, name = '', id = ''] = request.url?.split('/') ?? [];
  const text = LIMIT_STATEMENTS[name];
  if (text === undefined) {
    response.writeHead(404).end();
    return;
  }
  const { rows } = await pool.query({ name, text, values: [id] });
  response.setHeader('content-type', 'application/json');
  response.end(rows[0].answer);
});

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo; // it listens on TCP
  process.stdout.write(`The limit listens on http://127.0.0.1:${port}\n`);
});

process.once('SIGTERM', async () => {
  server.close();
  server.closeAllConnections();
  await pool.end();
});
