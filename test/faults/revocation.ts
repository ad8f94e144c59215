import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { hashToken } from '../../src/platform/access/authenticate.ts';
import { openDataDir } from '../../src/platform/data-dir/open-data-dir.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded.ts';
import { newId } from '../../src/platform/ids.ts';
import { type ServerProcess, startService } from '../bench/processes.ts';
import { send } from './callers.ts';

/*
 * Rights are taken away while several processes of the service read and write with them, again and again, in three ways.
 * No request that begins after the commit shows what was revoked, and no write that it forbids commits after it: at the
 * commit, no such write can be under way, so that what is stored then is what is stored in the end.
 *
 *   node test/faults/revocation.ts [rounds] [processes]
 */

const ADMIN = 'stemma_the_token_of_the_fault_tests';
const GUEST = 'stemma_the_token_of_a_guest_of_the_fault_tests';
const rounds = Number(process.argv[2] ?? 3_000);
const processes = Number(process.argv[3] ?? 3);

/** A change of access, how to undo it, and the answers to reads and writes that begin after it. */
interface Revocation {
  revoke: string;
  restore: string;
  read: number;
  write: number;
}

const directory = await mkdtemp(join(tmpdir(), 'stemma-revocation-'));
const dataDir = await openDataDir(join(directory, 'database'));
const database = await startEmbeddedPostgres({ dataDir, log: () => {} });
const client = new pg.Client({ connectionString: database.url });
const services: ServerProcess[] = [];
const found = { written: 0, refused: 0, shownTooLate: 0, writtenTooLate: 0, otherAnswers: 0 };

try {
  for (let index = 0; index < processes; index++) services.push(await startProcess(index));
  await client.connect();
  const place = await prepare();
  const kinds = revocationsOf(place);
  for (let round = 0; round < rounds; round++) {
    await attempt(place.spaceId, kinds[round % kinds.length] as Revocation, round); // the index is below the length
    if ((round + 1) % 500 === 0) console.error(`${round + 1} rounds`);
  }
  report();
} finally {
  await client.end();
  for (const service of services) await service.stop();
  await database.stop();
  dataDir.close();
  await rm(directory, { recursive: true, force: true });
}

function startProcess(index: number): Promise<ServerProcess> {
  return startService({
    databaseUrl: database.url,
    dataDir: join(directory, `service-${index}`),
    environment: { BOOTSTRAP_TOKEN: ADMIN, LOG_LEVEL: 'fatal' },
  });
}

/** A space in a collection on which a guest has the role `comment`. */
async function prepare() {
  const url = services[0]?.url ?? '';
  const ask = async (path: string, body?: unknown) => {
    const response = await send({ url, token: ADMIN }, path, body === undefined ? {} : { method: 'POST', body });
    if (!response?.ok) throw new Error(`${path}: ${response?.status}`);
    return response.json();
  };
  const organizationId: string = (await ask('/v1/orgs')).items[0].id;
  const { id: collectionId } = await ask(`/v1/orgs/${organizationId}/collections`, { title: 'Revoked' });
  const { id: spaceId } = await ask(`/v1/orgs/${organizationId}/spaces`, { title: 'Revoked', parent: collectionId });
  const userId = newId('user');
  const add = (text: string, values: unknown[]) => client.query(text, values);
  await add(`insert into "user" (id, email, display_name) values ($1, 'guest@acme.example', 'Guest')`, [userId]);
  await add(`insert into api_token (id, user_id, label, secret_hash) values ($1, $2, 'guest', $3)`, [
    newId('token'),
    userId,
    hashToken(GUEST),
  ]);
  await add('insert into membership (id, organization_id, user_id) values ($1, $2, $3)', [
    newId('member'),
    organizationId,
    userId,
  ]);
  await add(`insert into "grant" (target_id, grantee_id, organization_id, role) values ($1, $2, $3, 'comment')`, [
    collectionId,
    userId,
    organizationId,
  ]);
  return { spaceId: spaceId as string, userId };
}

function revocationsOf({ userId }: { userId: string }): Revocation[] {
  const setRole = (role: string) => `update "grant" set role = '${role}' where grantee_id = '${userId}'`;
  const setDisabled = (is: boolean) => `update membership set is_disabled = ${is} where user_id = '${userId}'`;
  return [
    { revoke: setRole('none'), restore: setRole('comment'), read: 404, write: 404 },
    { revoke: setRole('read'), restore: setRole('comment'), read: 200, write: 403 },
    { revoke: setDisabled(true), restore: setDisabled(false), read: 404, write: 404 },
  ];
}

/** The numbers of comments and replies, and of their events. With `edits`, also those of edits. */
async function stored(edits: boolean): Promise<string> {
  const { rows } = await client.query(
    `select concat_ws(' ',
      (select count(*) from comment), (select count(*) from comment_reply),
      (select count(*) from event where kind in ('comment_posted', 'comment_reply_posted')),
      case when $1 then (select sum(version) from comment) end,
      case when $1 then (select count(*) from event where kind = 'comment_updated') end) as stored`,
    [edits],
  );
  return rows[0].stored;
}

async function attempt(spaceId: string, { revoke, restore, read, write }: Revocation, round: number): Promise<void> {
  const comments = `/v1/spaces/${spaceId}/comments`;
  const body = { body: { markdown: `Round ${round}` } };
  const own = await send(caller(0), comments, { method: 'POST', body });
  if (!own?.ok) throw new Error(`The guest may not comment: ${own?.status}`);
  const { id } = await own.json();
  // Authors may edit their comments as long as they can see them.
  const losesEdits = read !== 200;
  const writesBy = (index: number) => [
    send(caller(index), comments, { method: 'POST', body }),
    send(caller(index), `${comments}/${id}/replies`, { method: 'POST', body }),
    send(caller(index), `${comments}/${id}`, { method: 'PUT', body }),
  ];
  const underWay = services.flatMap((_, index) => [...writesBy(index), send(caller(index), comments)]);
  await client.query('begin');
  await client.query(revoke);
  const atCommit = await stored(losesEdits);
  await client.query('commit');

  const reads = services.flatMap((_, index) => [
    send(caller(index), `/v1/spaces/${spaceId}`),
    send(caller(index), `${comments}/${id}`),
  ]);
  const writes = services.flatMap((_, index) => writesBy(index).slice(0, losesEdits ? 3 : 2));
  for (const answer of await Promise.all(reads)) if (answer?.status !== read) found.shownTooLate++;
  for (const answer of await Promise.all(writes)) if (answer?.status !== write) found.writtenTooLate++;
  for (const answer of await Promise.all(underWay)) count(answer?.status);
  if ((await stored(losesEdits)) !== atCommit) found.writtenTooLate++;
  await client.query(restore);
}

function caller(index: number) {
  return { url: services[index]?.url ?? '', token: GUEST };
}

function count(status: number | undefined): void {
  if (status === 200 || status === 201) found.written++;
  else if (status === 403 || status === 404) found.refused++;
  else found.otherAnswers++;
}

function report(): void {
  console.log(JSON.stringify({ rounds, processes, ...found }, null, 2));
  const { written, refused, ...faults } = found;
  // Without both, nothing was raced.
  if (written > 0 && refused > 0 && Object.values(faults).every((faulty) => faulty === 0)) return;
  console.error('Not as it must be.');
  process.exitCode = 1;
}
