import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { hashToken } from '../../src/platform/access/credentials.ts';
import { openDataDir } from '../../src/platform/data-dir/open-data-dir.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/start-embedded-postgres.ts';
import { newId } from '../../src/platform/ids/ids.ts';
import { type ServerProcess, startService } from '../bench/processes.ts';
import { send } from './callers.ts';

/*
 * Rights are taken away while several processes of the service read and write with them, again and again, in all the ways
 * that there are: grants, default levels, teams, memberships, SSO, blocks and unpublished sites.
 * No request that begins after the commit shows what was revoked, and no write that it forbids commits after it: at the
 * commit, no such write can be under way, so that what is stored then is what is stored in the end.
 *
 *   node test/faults/revocation.ts [rounds] [processes]
 */

const ADMIN = 'stemma_the_token_of_the_fault_tests';
const GUEST = 'stemma_the_token_of_a_guest_of_the_fault_tests';
const rounds = Number(process.argv[2] ?? 3_000);
const processes = Number(process.argv[3] ?? 3);

/** Rounds with pages below the same parent, which can have 1,000. A round makes up to three for each process. */
const ROUNDS_OF_PARENT = 50;

/**
 * What is left after a change: the statuses of reads and writes that begin then, and whether lists contain the space.
 */
const LEFT = {
  nothing: { read: 404, write: 404, isListed: false },
  reading: { read: 200, write: 403, isListed: true },
  signIn: { read: 403, write: 403, isListed: false },
};

/** A way to have rights and to lose them. */
interface Revocation {
  /** Statements that give the guest the rights, of which there are none before. */
  arrange: string;
  revoke: string;
  left: keyof typeof LEFT;
  /** The guest can only read. */
  readsOnly?: true;
  /** Authors edit their comments as long as they can see them. */
  keepsEdits?: true;
}

/** Merges and edits of what others have merged meanwhile are conflicts. */
const REFUSED = new Set([403, 404, 409]);

const directory = await mkdtemp(join(tmpdir(), 'stemma-revocation-'));
const dataDir = await openDataDir(join(directory, 'database'));
const database = await startEmbeddedPostgres({ dataDir, log: () => {}, settings: { max_connections: 250 } });
const client = new pg.Client({ connectionString: database.url });
const services: ServerProcess[] = [];
const found = { written: 0, refused: 0, shownTooLate: 0, writtenTooLate: 0, otherAnswers: 0 };

try {
  for (let index = 0; index < processes; index++) services.push(await startProcess(index));
  await client.connect();
  const place = await prepare();
  const kinds = revocationsOf(place);
  for (let round = 0; round < rounds; round++) {
    await attempt(place, kinds[round % kinds.length] as Revocation, round); // the index is below the length
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

interface Place {
  /** The page that new pages are placed below. */
  parentId: string;
  organizationId: string;
  collectionId: string;
  spaceId: string;
  pageId: string;
  siteId: string;
  userId: string;
  teamId: string;
}

/** Sends a request of the administrator's. */
async function ask(path: string, body?: unknown) {
  const url = services[0]?.url ?? '';
  const response = await send({ url, token: ADMIN }, path, body === undefined ? {} : { method: 'POST', body });
  if (!response?.ok) throw new Error(`${path}: ${response?.status}`);
  return response.json();
}

/** A space with a page, in a collection and on a site, and a guest and a team without rights. */
async function prepare(): Promise<Place> {
  const organizationId: string = (await ask('/v1/orgs')).items[0].id;
  const ofOrganization = `/v1/orgs/${organizationId}`;
  const { id: collectionId } = await ask(`${ofOrganization}/collections`, { title: 'Revoked' });
  const { id: spaceId } = await ask(`${ofOrganization}/spaces`, { title: 'Revoked', parent: collectionId });
  await ask(`/v1/spaces/${spaceId}/content`, { changes: [newPage('Start')] });
  const { pages } = await ask(`/v1/spaces/${spaceId}/content/pages`);
  const { id: siteId } = await ask(`${ofOrganization}/sites`, { title: 'Revoked', spaces: [spaceId] });
  const [userId, teamId] = [newId('user'), newId('team')];
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
  await add(`insert into team (id, organization_id, title) values ($1, $2, 'Team')`, [teamId, organizationId]);
  const pageId = pages[0].id;
  return { organizationId, collectionId, spaceId, pageId, parentId: pageId, siteId, userId, teamId };
}

async function parentFor({ spaceId }: Place, round: number): Promise<string> {
  const title = `From ${round}`;
  await ask(`/v1/spaces/${spaceId}/content`, { changes: [newPage(title)] });
  return (await ask(`/v1/spaces/${spaceId}/content/path/from-${round}`)).id;
}

function newPage(title: string, parentId?: string) {
  const document = { markdown: `${title}\n` };
  return { operation: 'insert_page', type: 'document', title, document, ...(parentId && { into: parentId }) };
}

function revocationsOf(place: Place): Revocation[] {
  const { organizationId, collectionId, spaceId, siteId, userId, teamId } = place;
  const grant = (granteeId: string) =>
    `insert into "grant" (target_id, grantee_id, organization_id, role)
     values ('${collectionId}', '${granteeId}', '${organizationId}', 'review')`;
  const setRole = (role: string) => `update "grant" set role = '${role}' where grantee_id = '${userId}'`;
  const setMember = (change: string) => `update membership set ${change} where user_id = '${userId}'`;
  const setLevel = (table: string, id: string, level: string) =>
    `update ${table} set default_level = '${level}' where id = '${id}'`;
  const setSite = (change: string) => `update site set ${change} where id = '${siteId}'`;
  const setOrganization = (change: string) => `update organization set ${change} where id = '${organizationId}'`;
  const byLevel = (table: string, id: string): Revocation => ({
    arrange: `${setMember(`role = 'read'`)}; ${setLevel(table, id, 'review')}`,
    revoke: setLevel(table, id, 'none'),
    left: 'nothing',
  });
  const byGrant = { arrange: grant(userId) };
  return [
    { ...byGrant, revoke: setRole('none'), left: 'nothing' },
    { ...byGrant, revoke: setRole('read'), left: 'reading', keepsEdits: true },
    { ...byGrant, revoke: `delete from "grant" where grantee_id = '${userId}'`, left: 'nothing' },
    { ...byGrant, revoke: setMember('is_disabled = true'), left: 'nothing' },
    { ...byGrant, revoke: setOrganization('sso = true'), left: 'signIn' },
    { ...byGrant, revoke: setOrganization(`blocked = '{"reason": "unpaid"}'`), left: 'reading' },
    byLevel('space', spaceId),
    byLevel('collection', collectionId),
    byLevel('site', siteId),
    {
      arrange: `${grant(teamId)}; insert into team_member (team_id, user_id, organization_id)
        values ('${teamId}', '${userId}', '${organizationId}')`,
      revoke: `delete from team_member where user_id = '${userId}'`,
      left: 'nothing',
    },
    {
      arrange: setSite('is_published = true'),
      revoke: setSite('is_published = false'),
      left: 'nothing',
      readsOnly: true,
    },
    {
      arrange: setSite('is_published = true'),
      revoke: setSite(`visibility = 'share-link'`),
      left: 'nothing',
      readsOnly: true,
    },
  ];
}

/** Statements that take all rights from the guest, and nothing from the organization. */
function nothingFor({ organizationId, collectionId, spaceId, siteId, userId, teamId }: Place): string {
  return `
  delete from "grant" where grantee_id in ('${userId}', '${teamId}');
  delete from team_member where user_id = '${userId}';
  update membership set role = null, is_disabled = false where user_id = '${userId}';
  update organization set sso = false, blocked = null where id = '${organizationId}';
  update space set default_level = null where id = '${spaceId}';
  update collection set default_level = null where id = '${collectionId}';
  update site set default_level = null, is_published = false, visibility = 'public' where id = '${siteId}'`;
}

/** What the guest has written: numbers of rows and of events. With `edits`, also those of edits of comments. */
async function stored({ userId }: Place, edits: boolean): Promise<string> {
  const { rows } = await client.query(
    `select concat_ws(' ',
      (select count(*) from comment), (select count(*) from comment_reply),
      (select count(*) from change_request), (select count(*) from revision),
      (select count(*) from event where actor_id = $2 and kind <> 'comment_updated'),
      case when $1 then (select sum(version) from comment) end,
      case when $1 then (select count(*) from event where kind = 'comment_updated') end) as stored`,
    [edits, userId],
  );
  return rows[0].stored;
}

interface Request {
  path: string;
  method?: string;
  body?: unknown;
}

/** Something of the guest's own to write to, if the guest can write. */
async function ownIn({ spaceId, parentId }: Place, round: number) {
  const make = async (path: string, body: unknown) => {
    const response = await send(caller(0), `/v1/spaces/${spaceId}/${path}`, { method: 'POST', body });
    if (!response?.ok)
      throw new Error(`The guest cannot write to ${path}: ${response?.status} ${await response?.text()}`);
    return response.json();
  };
  const comment = await make('comments', { body: { markdown: `Round ${round}` } });
  const [edited, merged] = [await make('change-requests', {}), await make('change-requests', {})];
  await make(`change-requests/${merged.id}/content`, { changes: [newPage(`Round ${round}`, parentId)] });
  return { commentId: comment.id, editedId: edited.id, mergedId: merged.id };
}

function writesIn(
  { spaceId, parentId }: Place,
  { commentId, editedId, mergedId }: Awaited<ReturnType<typeof ownIn>>,
  keepsEdits = false,
): Request[] {
  const [space, method] = [`/v1/spaces/${spaceId}`, 'POST'];
  const body = { body: { markdown: 'Raced' } };
  const content = { changes: [newPage('Raced', parentId)] };
  return [
    { path: `${space}/comments`, method, body },
    { path: `${space}/comments/${commentId}/replies`, method, body },
    ...(keepsEdits ? [] : [{ path: `${space}/comments/${commentId}`, method: 'PUT', body }]),
    { path: `${space}/change-requests`, method, body: { subject: 'Raced' } },
    { path: `${space}/change-requests/${editedId}`, method: 'PATCH', body: { subject: `Raced ${Math.random()}` } },
    { path: `${space}/change-requests/${editedId}/content`, method, body: content },
    { path: `${space}/content`, method, body: content },
    { path: `${space}/change-requests/${mergedId}/merge`, method },
  ];
}

function readsIn({ spaceId, pageId }: Place, readsOnly = false): Request[] {
  const space = `/v1/spaces/${spaceId}`;
  const shown = [{ path: space }, { path: `${space}/content/page/${pageId}` }];
  // Sites show no change requests and comments.
  return readsOnly ? shown : [...shown, { path: `${space}/change-requests` }, { path: `${space}/comments` }];
}

/** The same requests to all processes. */
function byAll<Answer>(requests: Request[], act: (index: number, request: Request) => Answer): Answer[] {
  return services.flatMap((_, index) => requests.map((request) => act(index, request)));
}

function sent(index: number, { path, ...init }: Request) {
  return send(caller(index), path, init);
}

async function attempt(place: Place, revocation: Revocation, round: number): Promise<void> {
  const { arrange, revoke, left, readsOnly = false, keepsEdits = false } = revocation;
  const expected = LEFT[left];
  await client.query(nothingFor(place));
  if (round % ROUNDS_OF_PARENT === 0) place.parentId = await parentFor(place, round);
  await client.query(arrange);
  const own = readsOnly ? undefined : await ownIn(place, round);
  const lists = [{ path: `/v1/orgs/${place.organizationId}/spaces` }];
  const reads = readsIn(place, readsOnly);
  const writes = own ? writesIn(place, own, keepsEdits) : [];
  const writesBefore = own ? writesIn(place, own) : [];
  const underWay = byAll([...writesBefore, ...reads, ...lists], async (index, request) => {
    const answer = await sent(index, request);
    count(answer?.status, request);
  });
  await client.query('begin');
  // As commands do.
  await client.query('select from access_version where organization_id = $1 for no key update', [place.organizationId]);
  await client.query(revoke);
  const atCommit = await stored(place, !keepsEdits);
  await client.query('commit');

  const after = [
    ...byAll(reads, async (index, request) => {
      const answer = await sent(index, request);
      if (answer?.status !== expected.read) note('shownTooLate', revocation, request, answer?.status);
    }),
    ...byAll(lists, async (index, request) => {
      const items = (await (await sent(index, request))?.json())?.items ?? [];
      const isListed = items.some(({ id }: { id: string }) => id === place.spaceId);
      if (isListed !== expected.isListed) note('shownTooLate', revocation, request, isListed);
    }),
    ...byAll(writes, async (index, request) => {
      const answer = await sent(index, request);
      if (answer?.status !== expected.write) note('writtenTooLate', revocation, request, answer?.status);
    }),
  ];
  await Promise.all([...after, ...underWay]);
  const inTheEnd = await stored(place, !keepsEdits);
  if (inTheEnd !== atCommit) note('writtenTooLate', revocation, { path: 'stored' }, `${atCommit} → ${inTheEnd}`);
}

function note(
  fault: 'shownTooLate' | 'writtenTooLate',
  { revoke }: Revocation,
  { path }: Request,
  what: unknown,
): void {
  found[fault]++;
  console.error(`${fault}: ${revoke}: ${path}: ${what}`);
}

function caller(index: number) {
  return { url: services[index]?.url ?? '', token: GUEST };
}

function count(status: number | undefined, { path }: Request): void {
  if (status === 200 || status === 201) {
    found.written++;
  } else if (status !== undefined && REFUSED.has(status)) {
    found.refused++;
  } else {
    found.otherAnswers++;
    console.error(`${path}: ${status}`);
  }
}

function report(): void {
  console.log(JSON.stringify({ rounds, processes, ...found }, null, 2));
  const { written, refused, ...faults } = found;
  // Without both, nothing was raced.
  if (written > 0 && refused > 0 && Object.values(faults).every((faulty) => faulty === 0)) return;
  console.error('Not as it must be.');
  process.exitCode = 1;
}
