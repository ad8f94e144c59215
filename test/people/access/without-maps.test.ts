import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { cachedMapsInVersion, type MapBounds, openMaps } from '../../../src/domain/people/access/access-maps.ts';
import { loadWithAccess, lockAccess } from '../../../src/domain/people/access/index.ts';
import type { Actor } from '../../../src/platform/access/actor.ts';
import type { Context } from '../../../src/platform/context/context.ts';
import { accessThrough } from '../../../src/platform/context/database-access.ts';
import type { Services } from '../../../src/platform/context/services.ts';
import { inTransaction } from '../../../src/platform/operation/transact.ts';
import { Client } from '../../client.ts';
import { administer } from '../../database.ts';
import { world } from '../../world.ts';
import { contentOf } from './content.ts';
import { startSecond } from './second-process.ts';

// Where a process has no maps that fit, the walk decides, or maps are read for the moment. All answers stay the same.

const { app, databaseUrl, organizationId, otherOrganizationId, grant, ...people } = await world();
const { admin, editor, reader, guest, outsider, anonymous } = people;
const { services } = app;
const { db } = services;
const content = contentOf(db, organizationId);

const far = await content.collection({ role: 'read' });
const near = await content.collection({ parentId: far, role: 'none' });
const open = await content.space({ parentId: far });
const closed = await content.space({ parentId: near });
const published = await content.space({ role: 'none' });
const site = await content.site({ spaces: [published], isPublished: true });
for (const [target, role] of [
  [far, 'comment'],
  [near, 'none'],
  [open, 'edit'],
  [closed, 'comment'],
  [site, 'review'],
] as const) {
  await grant(target, guest.userId, role);
}
await grant(open, outsider.userId, 'admin');
const { body: changeRequest } = await admin.post(`/v1/spaces/${open}/change-requests`);
const { body: comment } = await admin.post(`/v1/spaces/${open}/comments`, { body: { markdown: 'Why?' } });

const ofOrganization = `/v1/orgs/${organizationId}`;
const PATHS = [
  '/v1/orgs',
  ofOrganization,
  `${ofOrganization}/spaces`,
  `${ofOrganization}/collections`,
  `${ofOrganization}/sites`,
  `${ofOrganization}/sites/${site}`,
  `/v1/collections/${far}`,
  `/v1/collections/${near}`,
  `/v1/collections/${far}/spaces`,
  `/v1/collections/${near}/spaces`,
  ...[open, closed, published].map((id) => `/v1/spaces/${id}`),
  `/v1/spaces/${open}/content`,
  `/v1/spaces/${open}/comments`,
  `/v1/spaces/${open}/comments/${comment.id}`,
  `/v1/spaces/${open}/change-requests`,
  `/v1/spaces/${open}/change-requests/${changeRequest.id}`,
];

const SPACE = 'id title permissions { access edit admin } accessExplanation { role }';
const QUERY = `query ($ids: [ID!]!) {
  nodes(ids: $ids) { id ... on Space { ${SPACE} } ... on Collection { permissions { view } spaces { totalCount nodes { ${SPACE} } } } }
  viewer { organizations { nodes { id spaces { totalCount nodes { ${SPACE} } } collections { nodes { id } } } } }
}`;

const callers = [admin, editor, reader, guest, outsider, anonymous];

/** Everything that a process answers to a caller. */
async function answersTo({ token, userId }: Client, url: string) {
  const client = new Client(url, token, userId);
  const rest = await Promise.all(PATHS.map((path) => client.get(path)));
  const nodes = await client.graphqlRaw(QUERY, { ids: [open, closed, published, far, near, site] });
  return [
    ...rest.map(({ status, body }, index) => [PATHS[index], status, status === 200 ? body : body.error.message]),
    [nodes.body.data, nodes.body.errors?.map(({ message }: Error) => message)],
  ];
}

/** Answers contain the address of the process. */
const answersOf = async (url: string) =>
  JSON.parse(JSON.stringify(await Promise.all(callers.map((one) => answersTo(one, url)))).replaceAll(url, ''));

/** The statuses of what callers write. They change nothing that others read. */
async function writesAt(url: string) {
  const each = callers.map(async ({ token }) => {
    const client = new Client(url, token);
    const statuses: number[] = [];
    for (const id of [open, closed, published]) {
      statuses.push((await client.patch(`/v1/spaces/${id}`, {})).status);
      const posted = await client.post(`/v1/spaces/${id}/comments`, { body: { markdown: 'Mine' } });
      if (posted.status < 300) await admin.delete(`/v1/spaces/${id}/comments/${posted.body.id}`);
      statuses.push(posted.status);
    }
    return statuses;
  });
  return Promise.all(each);
}

async function processWith(bounds: MapBounds): Promise<{ url: string; services: Services }> {
  const second = await startSecond(databaseUrl, onTestFinished);
  openMaps(second.services, bounds);
  return { url: `http://127.0.0.1:${await second.listen()}`, services: second.services };
}

/** A user without SSO. */
const callerOf = (userId: string) => ({ userId, providerId: undefined });

const versionNow = async () => {
  const { version } = await db
    .selectFrom('access_version')
    .where('organizationId', '=', organizationId)
    .select('version')
    .executeTakeFirstOrThrow();
  return version;
};

let expected: unknown[];
let written: number[][];

beforeAll(async () => {
  written = await writesAt(admin.url);
  expected = await answersOf(admin.url);
});

test('callers differ in what they see and write', () => {
  expect(new Set(expected.map((answers) => JSON.stringify(answers))).size).toBe(callers.length);
  expect(new Set(written.map((statuses) => statuses.join())).size).toBeGreaterThan(3);
});

const ALL = { entries: 20_000, entriesOfAll: 400_000 };

describe.each([
  // The organization has four entries, the guest has five.
  ['an organization that is too large for a map', { ...ALL, entries: 3 }, [false, false]],
  ['a member with too many grants for a map', { ...ALL, entries: 4 }, [true, false]],
  ['a cache that is too small for the maps', { ...ALL, entriesOfAll: 2 }, [false, false]],
  ['a cache that is large enough for some', { ...ALL, entriesOfAll: 12 }, undefined],
])('%s', (_name, bounds, known) => {
  test('changes no answer, of reads and of writes', async () => {
    const second = await processWith(bounds);
    expect(await answersOf(second.url)).toEqual(expected);
    expect(await writesAt(second.url)).toEqual(written);
    expect(await answersOf(second.url)).toEqual(expected);
    if (!known) return;
    const version = await versionNow();
    const isKnown = [undefined, callerOf(guest.userId)].map((caller) =>
      Boolean(cachedMapsInVersion(second.services, organizationId, caller, version)),
    );
    expect(isKnown).toEqual(known);
  });
});

test('a map that was too large is read as soon as it is not', async () => {
  const second = await processWith({ ...ALL, entries: 4 });
  const asked = async () => {
    const { status } = await new Client(second.url, guest.token).get(`/v1/spaces/${open}`);
    return [
      status,
      cachedMapsInVersion(second.services, organizationId, callerOf(guest.userId), await versionNow()) !== undefined,
    ];
  };
  expect(await asked()).toEqual([200, false]);
  await db.deleteFrom('grant').where('targetId', '=', near).execute();
  expect(await asked()).toEqual([200, true]);
  await grant(near, guest.userId, 'none');
  expect(await asked()).toEqual([200, false]);
});

const contextOf = (userId: string): Context => ({
  ...accessThrough(services.em.fork()),
  actor: { kind: 'user', userId, isOperator: false, by: 'token' } satisfies Actor,
  services,
  requestId: 'test',
  log: services.log,
  inTransaction: false,
});

test('what a transaction reads of access never enters the cache', async () => {
  const ctx = contextOf(reader.userId);
  const roleIn = async (of: Context) => (await loadWithAccess(of, 'space', closed, { changesAccess: true }))?.role;
  expect(await roleIn(ctx)).toBe('none');
  const seen: string[] = [];
  const undone = inTransaction(ctx, async (inside) => {
    await lockAccess(inside, organizationId);
    const values = { targetId: closed, granteeId: reader.userId, organizationId, role: 'edit' as const };
    await inside.db.insertInto('grant').values(values).execute();
    expect(await roleIn(inside)).toBe('edit');
    // What others ask for meanwhile is not of the transaction either.
    expect(await roleIn(contextOf(reader.userId))).toBe('none');
    const { version } = await inside.db
      .selectFrom('access_version')
      .where('organizationId', '=', organizationId)
      .select('version')
      .executeTakeFirstOrThrow();
    seen.push(version);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(seen).not.toContain(await versionNow());
  for (const caller of [undefined, callerOf(reader.userId)]) {
    expect(cachedMapsInVersion(services, organizationId, caller, seen[0] ?? '')).toBeUndefined();
    expect(cachedMapsInVersion(services, organizationId, caller, await versionNow())).toBeDefined();
  }
  expect(await roleIn(contextOf(reader.userId))).toBe('none');
});

test('of many maps, those that were used last are kept', async () => {
  const second = await processWith({ ...ALL, entriesOfAll: 7 });
  const client = (by: Client) => new Client(second.url, by.token);
  const version = await versionNow();
  const isKnown = ({ userId }: Client) =>
    cachedMapsInVersion(second.services, organizationId, callerOf(userId ?? ''), version) !== undefined;
  const ask = (by: Client) => client(by).get(`/v1/spaces/${open}`);
  await ask(reader);
  await ask(editor);
  expect([reader, editor].map(isKnown)).toEqual([true, true]);
  await ask(admin);
  expect([reader, editor, admin].map(isKnown)).toEqual([false, true, true]);
});

test('a version that moves at every read leaves the decisions to the walk', async () => {
  // The last test: access cannot be changed from here on.
  await administer(
    databaseUrl,
    `alter table access_version rename to still_version;
     create view access_version as select organization_id, gen_random_uuid() as version from still_version`,
  );
  const second = await processWith(ALL);
  expect(await answersOf(second.url)).toEqual(expected);
  // Writes in one statement need a version that stays.
  const changed = callers.map(async ({ token }) => {
    const client = new Client(second.url, token);
    const answers = await Promise.all([open, closed, published].map((id) => client.patch(`/v1/spaces/${id}`, {})));
    return answers.map(({ status }) => status);
  });
  expect(await Promise.all(changed)).toEqual(written.map((statuses) => statuses.filter((_, index) => index % 2 === 0)));
});
