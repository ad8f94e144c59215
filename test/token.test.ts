import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { hashToken } from '../src/platform/access/credentials.ts';
import { Client } from './client.ts';
import { programWords, runProgram } from './command.ts';
import { makeDatabase } from './database.ts';
import { world } from './world.ts';

// Whole processes, several in one test.
vi.setConfig({ testTimeout: 120_000 });

const it = await world({}, { database: await makeDatabase() });
const { db } = it.app.services;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'stemma-token-'));
});

afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));

const run = (words: string[], environment: Record<string, string> = { DATABASE_URL: it.databaseUrl }) =>
  runProgram('token', words, { DATA_DIR: dataDir, ...environment });

const tokenIn = (output: string) => /^stemma_\S+$/m.exec(output)?.[0] ?? '';

const viewer = async (token: string) =>
  (await new Client(it.url, token).graphql('{ viewer { id } }').catch(() => ({ viewer: null }))).viewer;

const account = (userId: string) =>
  db.selectFrom('user').where('id', '=', userId).selectAll().executeTakeFirstOrThrow();

const eventsOf = (userId: string) =>
  db
    .selectFrom('event')
    .where('kind', 'in', ['api_token_created', 'user_updated'])
    .where('organizationId', 'is', null)
    .select(['kind', 'actorId', 'ids'])
    .execute()
    .then((events) => events.filter(({ ids }) => (ids as Record<string, string>).userId === userId));

test('makes a token of the user with a verified address, while the service runs, as an event', async () => {
  const { userId } = it.editor;
  const { email } = await account(userId);
  if (email === null) throw new Error('Members of a world have verified addresses.');
  await db.updateTable('user').set({ email: null, unverifiedEmail: email }).where('id', '=', userId).execute();
  const refused = await run(['--email', email]);
  expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('No user has the verified address')]);
  await db.updateTable('user').set({ email, unverifiedEmail: null }).where('id', '=', userId).execute();

  const { code, output } = await run(['--email', email.toUpperCase(), '--label', 'Lost', '--expires', '2099-01-01']);
  expect([code, output]).toEqual([0, expect.stringContaining(`${email}, ${userId}`)]);
  const token = tokenIn(output);
  expect((await viewer(token))?.id).toBe(userId);
  const stored = await db.selectFrom('api_token').where('secretHash', '=', hashToken(token)).selectAll().execute();
  expect(stored).toMatchObject([{ userId, label: 'Lost', expiresAt: '2099-01-01T00:00:00.000Z' }]);
  expect(await eventsOf(userId)).toEqual([
    { kind: 'api_token_created', actorId: null, ids: { apiTokenId: stored[0]?.id, userId } },
  ]);
});

test('with --link, it prints a link that signs the user in once, as an event', async () => {
  const { userId } = it.reader;
  const { code, output } = await run(['--user', userId, '--link']);
  const [link = ''] = /^http\S+\/account\/sign-in-link\?secret=[\w-]{43}$/m.exec(output) ?? [];
  expect([code, link === '', output]).toEqual([0, false, expect.stringContaining('Link that signs in once')]);
  expect(tokenIn(output)).toBe('');
  const use = () =>
    fetch(`${it.url}/account/sign-in-link`, {
      method: 'POST',
      headers: { origin: it.app.services.config.publicUrl },
      body: new URLSearchParams({ secret: new URL(link).searchParams.get('secret') ?? '' }),
      redirect: 'manual',
    });
  const first = await use();
  expect([first.status, first.headers.get('set-cookie')]).toEqual([303, expect.stringMatching(/stemma_session=/)]);
  expect((await use()).status).toBe(404);
  const made = await db
    .selectFrom('event')
    .where('kind', '=', 'sign_in_link_created')
    .select(['actorId', 'ids'])
    .execute();
  expect(made).toEqual([{ actorId: null, ids: { userId } }]);
});

test('without a user, an operator is the only one of the service, or has to be named', async () => {
  const { code, output } = await run(['--operator']);
  expect([code, (await viewer(tokenIn(output)))?.id]).toEqual([0, it.admin.userId]);
  await db.updateTable('user').set({ isOperator: true }).where('id', '=', it.creator.userId).execute();
  const several = await run(['--operator']);
  expect([several.code, several.output]).toEqual([1, expect.stringMatching(/several operators.*user_.*user_/)]);
  expect(tokenIn(several.output)).toBe('');
  await db.updateTable('user').set({ isOperator: false }).where('id', '=', it.creator.userId).execute();
});

test('makes a user an operator only if that is asked for, as an event', async () => {
  const { userId } = it.reader;
  const refused = await run(['--user', userId, '--operator']);
  expect([refused.code, refused.output]).toEqual([1, expect.stringMatching(/is not an operator.*--promote/)]);
  expect((await account(userId)).isOperator).toBe(false);
  const { code, output } = await run(['--user', userId, '--operator', '--promote']);
  expect([code, output]).toEqual([0, expect.stringContaining('who is now an operator')]);
  expect((await account(userId)).isOperator).toBe(true);
  expect((await eventsOf(userId)).map(({ kind }) => kind)).toEqual(['user_updated', 'api_token_created']);
});

test.each([
  [[], /^Name a user/],
  [['--email', 'a@example.org', '--user', 'user_1'], /not with both/],
  [['--user', 'user_1', '--expires', '2020-01-01'], /--expires must be a time in the future/],
  [['--user', 'user_1', '--link', '--expires', '2099-01-01'], /--link takes neither --label nor --expires/],
  [['--user', 'user_1', '--expires', '9999-12-31T23:59:59-01:00'], /--expires must be a time in the future/],
  [['--user', 'user_1', '--expires', 'soon'], /--expires must be a time in the future/],
  [['--user', 'user_1', '--label', ''], /--label/],
  [['--mail', 'a@example.org'], /Unknown option '--mail'/],
])('says how it is used after %j', async (words, expected) => {
  const { code, output } = await run(words);
  expect([code, output]).toEqual([1, expect.stringMatching(expected)]);
  expect(output).toContain('Usage: npm run token');
  expect(output).not.toContain('    at ');
});

test('an unknown user is an error that names the operators', async () => {
  const { code, output } = await run(['--user', 'user_absent']);
  expect([code, output]).toEqual([1, expect.stringMatching(/user_absent does not exist.*operators are: Admin/)]);
});

/** A service with the embedded database, until it is stopped. */
async function start(): Promise<{ child: ChildProcess; output(): string }> {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, PORT: '0', DATA_DIR: dataDir, DEMO: '0', LOG_LEVEL: 'warn' } as NodeJS.ProcessEnv; // all text
  const child = spawn(process.execPath, programWords('main'), { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk) => (text += chunk));
  while (!text.includes('GraphiQL')) await once(child.stdout, 'data');
  return { child, output: () => text };
}

test('works with the embedded database, whether or not the service runs', async () => {
  const nothing = await run(['--operator'], {});
  expect([nothing.code, nothing.output]).toEqual([1, expect.stringContaining('has no database')]);
  const first = await start();
  const beside = await run(['--operator'], {});
  const url = /listens on (\S+)/.exec(first.output())?.[1] ?? '';
  expect((await new Client(url, tokenIn(beside.output)).graphql('{ viewer { id } }')).viewer).toBeTruthy();
  first.child.kill('SIGTERM');
  await once(first.child, 'exit');

  const stopped = await run(['--operator'], {});
  expect(stopped.code).toBe(0);
  const second = await start();
  const again = /listens on (\S+)/.exec(second.output())?.[1] ?? '';
  expect((await new Client(again, tokenIn(stopped.output)).get('/v1/user')).status).toBe(200);
  expect(second.output()).not.toContain(tokenIn(stopped.output));
  second.child.kill('SIGTERM');
  await once(second.child, 'exit');
});
