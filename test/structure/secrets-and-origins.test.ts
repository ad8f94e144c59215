import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { sendEvent } from '../../src/domain/insight/webhooks/send-event.ts';
import { updateWebhook } from '../../src/domain/insight/webhooks/update-webhook.ts';
import { signatureHeader } from '../../src/domain/insight/webhooks/webhook-secret.ts';
import { connectionOf } from '../../src/domain/sources/git/connections/access.ts';
import { checkConnection } from '../../src/domain/sources/git/connections/check.ts';
import { credentialsOf } from '../../src/domain/sources/git/connections/credentials.ts';
import { openPullRequest } from '../../src/domain/sources/git/connections/provider-api.ts';
import { updateGitConnection } from '../../src/domain/sources/git/connections/update-git-connection.ts';
import { translationProviderFor } from '../../src/domain/sources/translations/providers/provider-for.ts';
import { setTranslationProvider } from '../../src/domain/sources/translations/providers/set-translation-provider.ts';
import { jobContext } from '../../src/platform/jobs/job.ts';
import { withCleanup } from '../../src/platform/operation/cleanup.ts';
import { settings } from '../../src/settings.ts';
import { storedSecrets } from '../../src/stored-secrets.ts';
import { newSpace, settleGit } from '../sources/git/arrange.ts';
import { connect } from '../sources/git/connect.ts';
import { world } from '../world.ts';
import { SETTINGS, STORED } from './secrets-and-origins.ts';

const here = await world({ ALLOW_PRIVATE_NETWORK: '1', GIT_PROGRAM: 'git', RATE_LIMIT: '0' });
const { admin, organizationId, app } = here;
const { services } = app;
const ctx = () => jobContext(services, 'test');

/** A server that keeps everything that it is sent. */
async function listener() {
  const its = {
    url: '',
    origin: '',
    seen: [] as string[],
    answer: (response: ServerResponse) => void response.end('{}'),
  };
  const server = createServer(async (request: IncomingMessage, response) => {
    const body = (await buffer(request)).toString('latin1');
    const decoded = Buffer.from(request.headers.authorization?.replace('Basic ', '') ?? '', 'base64').toString(
      'latin1',
    );
    its.seen.push([request.url, JSON.stringify(request.headers), decoded, body].join('\n'));
    its.answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  its.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
  its.url = its.origin;
  return its;
}

const [own, other] = [await listener(), await listener()];
const SECRET = 'top-s3cret-token';
const got = ({ seen }: typeof own) => seen.some((text) => text.includes(SECRET));

beforeEach(() => {
  for (const each of [own, other]) {
    each.seen.length = 0;
    each.answer = (response) => void response.end('{}');
  }
});

const redirect = (response: ServerResponse) => void response.writeHead(307, { location: `${other.url}/stolen` }).end();

describe('every stored secret is declared with the addresses that it may travel to', () => {
  test('columns', () => {
    const columns = storedSecrets.map(({ table, column }) => `${table}.${column}`);
    expect(STORED.map(({ name }) => name).sort()).toEqual(columns.sort());
  });

  test('the table in the documentation', async () => {
    const text = await readFile(join(import.meta.dirname, '../../docs/decisions/operation.md'), 'utf8');
    const [, section = ''] = text.split('## Stored secrets', 2);
    const named = [...(section.split('\n## ', 1)[0] ?? '').matchAll(/^\| `(\w+\.\w+)` \|/gm)].map(([, name]) => name);
    expect(named).toEqual(STORED.map(({ name }) => name));
  });

  test('settings', () => {
    const names = Object.keys(settings.shape).filter((name) => /_(?:KEY|TOKEN|SECRET|PASSWORD)$/.test(name));
    expect(names.sort()).toEqual(SETTINGS.map(({ name }) => name).sort());
  });

  test('members of the inputs that change them', () => {
    const isAddress = (name: string) => /ur[il]/i.test(name);
    const addressesIn = (shape: object) => Object.keys(shape).filter(isAddress).sort();
    // The prefixes are of links in content.
    expect(addressesIn(updateGitConnection.input.shape)).toEqual(['apiUrl', 'repoCommitURL', 'repoTreeURL', 'url']);
    expect(addressesIn(setTranslationProvider.input.shape)).toEqual(['url']);
    expect(addressesIn(updateWebhook.input.shape)).toEqual(['url']);
  });
});

describe('the token of a Git connection', () => {
  let spaceId = '';
  let path = '';
  const withToken = (url: string) => `${url.replace('http://', `http://ann:${SECRET}@`)}/acme/docs.git`;
  const row = async () => {
    const found = await connectionOf(ctx(), spaceId);
    if (!found) throw new Error('The space is not connected.');
    return found;
  };
  const check = () => withCleanup(ctx(), async (inside) => checkConnection(inside, await row()));
  const propose = async () =>
    openPullRequest(ctx(), await row(), { head: 'a', base: 'main', title: 'Title', body: 'Body' });

  beforeEach(async () => {
    spaceId = await newSpace(admin, organizationId);
    path = `/v1/spaces/${spaceId}/git/connection`;
    await connect(admin, spaceId, { url: withToken(own.url) });
  });

  test('reaches its repository and the API of its provider', async () => {
    await check();
    await propose();
    expect(own.seen.filter((text) => text.includes(SECRET)).map((text) => text.split('\n', 1)[0])).toEqual(
      expect.arrayContaining([expect.stringContaining('info/refs'), '/api/v3/repos/acme/docs/pulls']),
    );
  });

  test.each([
    ['url', () => ({ url: `${other.url}/acme/docs.git` }), 200],
    ['apiUrl', () => ({ apiUrl: other.url }), 400],
    ['apiUrl and provider', () => ({ apiUrl: `${other.url}/api/v4`, provider: 'gitlab' }), 400],
    ['url and apiUrl', () => ({ url: `${own.url}/acme/docs.git`, apiUrl: other.url }), 400],
    [
      'url of another user and apiUrl',
      () => ({ url: `${own.url.replace('//', '//eve@')}/acme/docs.git`, apiUrl: other.url }),
      200,
    ],
    ['repoTreeURL and repoCommitURL', () => ({ repoTreeURL: other.url, repoCommitURL: other.url }), 200],
  ] as const)('does not reach the other server by a change of %s', async (_name, change, status) => {
    const changed = await admin.patch(path, change());
    expect(changed.status).toBe(status);
    if (status === 400) expect(changed.body.error.message).toContain('Send the token again');
    await check();
    await propose();
    expect(got(other)).toBe(false);
  });

  test('is not taken by an API that was set before it was given', async () => {
    await admin.patch(path, { url: `${own.url}/acme/docs.git` });
    await admin.delete(path);
    await connect(admin, spaceId, { url: `${own.url}/acme/docs.git`, apiUrl: other.url });
    const refused = await admin.patch(path, { url: withToken(own.url) });
    expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining(other.origin)]);
    await propose();
    expect(got(other)).toBe(false);
    // Who names both wants both.
    expect((await admin.patch(path, { url: withToken(own.url), apiUrl: other.url })).status).toBe(200);
    await propose();
    expect(got(other)).toBe(true);
    // The path may change, and the way back to the own API is free.
    expect((await admin.patch(path, { apiUrl: `${other.url}/api` })).status).toBe(200);
    expect((await admin.patch(path, { apiUrl: null })).status).toBe(200);
    expect((await admin.patch(path, { apiUrl: other.url })).status).toBe(400);
  });

  test('the same in the graph', async () => {
    const input = { spaceId, apiUrl: other.url };
    await expect(admin.mutate('updateGitConnection', input, '__typename')).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
    });
  });

  test('does not follow a redirect', async () => {
    own.answer = redirect;
    await check();
    await propose();
    expect(got(own)).toBe(true);
    expect(got(other)).toBe(false);
  });

  test('is not read for addresses that the connection no longer has', async () => {
    const before = await row();
    await admin.patch(path, { url: withToken(own.url).replace('docs.git', 'other.git'), apiUrl: null });
    expect(await credentialsOf(ctx(), before)).toBeUndefined();
    expect(await credentialsOf(ctx(), await row())).toContain(SECRET);
  });

  test('is not used by an import or export of another address', async () => {
    await admin.delete(path);
    await connect(admin, spaceId, { url: withToken(own.url) });
    for (const url of [`${other.url}/acme/docs.git`, `${own.url}/acme/docs.git`]) {
      const body = { url, ref: 'refs/heads/main', standalone: true };
      expect((await admin.post(`/v1/spaces/${spaceId}/git/import`, body)).status).toBe(204);
      await settleGit(admin, spaceId);
    }
    expect([got(own), got(other)]).toEqual([false, false]);
    const key = { url: 'ssh://git@127.0.0.1/acme/docs.git', ref: 'refs/heads/main', standalone: true };
    expect((await admin.post(`/v1/spaces/${spaceId}/git/import`, key)).status).toBe(400);
  });

  test('is not copied with the space', async () => {
    const { body: copy } = await admin.post(`/v1/spaces/${spaceId}/duplicate`);
    expect((await admin.get(`/v1/spaces/${copy.id}/git/connection`)).status).toBe(404);
    const { body: made } = await admin.post('/v1/orgs', { title: 'Elsewhere' });
    expect((await admin.post(`/v1/spaces/${spaceId}/transfer`, { organization: made.id })).status).toBe(412);
  });

  test('is not in what links are made of', async () => {
    for (const name of ['repoTreeURL', 'repoCommitURL', 'apiUrl']) {
      const refused = await admin.patch(path, { [name]: withToken(own.url) });
      expect([name, refused.status]).toEqual([name, 400]);
    }
  });
});

test('the credentials of a run reach its repository and follow no redirect', async () => {
  const spaceId = await newSpace(admin, organizationId);
  own.answer = redirect;
  const url = `${own.url.replace('//', `//ann:${SECRET}@`)}/acme/docs.git`;
  await admin.post(`/v1/spaces/${spaceId}/git/import`, { url, ref: 'refs/heads/main' });
  await settleGit(admin, spaceId);
  expect([got(own), got(other)]).toEqual([true, false]);
  const { credentials } = await services.db
    .selectFrom('git_run')
    .where('spaceId', '=', spaceId)
    .select('credentials')
    .executeTakeFirstOrThrow();
  expect(credentials).toBeNull();
});

test('the key pair of a connection over SSH is another one for another host', async () => {
  const spaceId = await newSpace(admin, organizationId);
  const path = `/v1/spaces/${spaceId}/git/connection`;
  await connect(admin, spaceId, { url: 'ssh://git@127.0.0.1:2222/acme/docs.git' });
  const before = (await admin.get(path)).body.sshPublicKey;
  expect(before).toContain('ssh-ed25519');
  const moved = await admin.patch(path, { url: 'ssh://git@127.0.0.1:2223/acme/docs.git' });
  expect(moved.body.sshPublicKey).toContain('ssh-ed25519');
  expect(moved.body.sshPublicKey).not.toBe(before);
});

describe('the key of a translation provider', () => {
  const path = `/v1/orgs/${organizationId}/translation-provider`;
  const translate = async () => {
    const provider = await translationProviderFor(ctx(), organizationId);
    const question = { from: 'en', to: 'de', instructions: '', signal: new AbortController().signal };
    await provider.translate(['Text'], question as never).catch(() => {});
  };

  test.each([
    ['openai', { model: 'm' }],
    ['deepl', {}],
    ['libretranslate', {}],
  ] as const)('of the kind %s stays with its url', async (kind, given) => {
    const settings = { kind, ...given, url: own.url, apiKey: SECRET };
    expect((await admin.put(path, settings)).status).toBe(200);
    await translate();
    expect([got(own), got(other)]).toEqual([true, false]);
    own.answer = redirect;
    await translate();
    const { status } = await admin.put(path, { kind, ...given, url: other.url });
    expect(status).toBe(kind === 'deepl' ? 400 : 200);
    await translate();
    expect(got(other)).toBe(false);
  });
});

test('deliveries to another origin are signed with another secret, and follow no redirect', async () => {
  const { body: made } = await admin.post(`/v1/orgs/${organizationId}/webhooks`, { url: `${own.url}/hook` });
  const path = `/v1/webhooks/${made.id}`;
  const secretNow = async () =>
    Buffer.from(
      (await services.db.selectFrom('webhook').where('id', '=', made.id).select('secret').executeTakeFirstOrThrow())
        .secret,
    );
  const first = await secretNow();
  expect((await admin.patch(path, { url: `${own.url}/other`, label: 'Same' })).body).not.toHaveProperty('secret');
  expect((await secretNow()).equals(first)).toBe(true);
  const moved = await admin.patch(path, { url: `${other.url}/hook` });
  expect(moved.body.secret).toMatch(/^whsec_/);
  expect(moved.body.secret).not.toBe(made.secret);
  expect((await secretNow()).equals(first)).toBe(false);
  const { secret } = await admin.mutate('updateWebhook', { webhookId: made.id, url: `${own.url}/hook` }, 'secret');
  expect(secret).toMatch(/^whsec_/);
  const again = await admin.mutate('updateWebhook', { webhookId: made.id, label: 'Again' }, 'secret');
  expect(again.secret).toBeNull();
  expect((await admin.get(path)).body).not.toHaveProperty('secret');

  own.answer = redirect;
  const row = await services.db.selectFrom('webhook').where('id', '=', made.id).selectAll().executeTakeFirstOrThrow();
  const event = { id: 'event_1', kind: 'space_created', organizationId, actorId: null, ids: {}, createdAt: '' };
  await sendEvent(services, row as never, event as never, 'delivery_1');
  expect([own.seen.length, other.seen.length]).toEqual([1, 0]);
  const [, headers = '{}', , body = ''] = own.seen[0]?.split('\n') ?? [];
  const signature = String(JSON.parse(headers)['x-stemma-signature']);
  const signedBy = (key: string) =>
    signatureHeader(key, body, new Date(Number(/^t=(\d+)/.exec(signature)?.[1]) * 1_000)) === signature;
  expect([signedBy(secret), signedBy(moved.body.secret), signedBy(made.secret)]).toEqual([true, false, false]);
});
