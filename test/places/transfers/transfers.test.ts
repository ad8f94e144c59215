import { beforeEach, describe, expect, test } from 'vitest';
import { collectOf } from '../../../src/domain/content/garbage-collection/collect-content.ts';
import { removeDeletedSpaces } from '../../../src/domain/places/spaces/remove-deleted-spaces.ts';
import { addTransferPrecondition } from '../../../src/domain/places/transfers/index.ts';
import { tidySearchIndex } from '../../../src/domain/store/search-index/tidy-search-index.ts';
import { newId } from '../../../src/platform/ids/ids.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { type Client, statementsOf } from '../../client.ts';
import { reachable } from '../../content/garbage-collection/reachable.ts';
import { administer } from '../../database.ts';
import { contentOf } from '../../people/access/content.ts';
import { furnish } from '../../structure/furnish.ts';
import { type EventBody, world } from '../../world.ts';

const { app, eventsBy, organizationId, otherOrganizationId, databaseUrl, advance, grant, ...people } = await world();
const { admin, creator, reader, guest, outsider, anonymous } = people;
const { db } = app.services;
const content = contentOf(db, organizationId);

const join = (client: Client, role: 'admin' | 'create' | 'edit') =>
  db
    .insertInto('membership')
    .values({ id: newId('member'), organizationId: otherOrganizationId, userId: client.userId, role })
    .execute();
await join(admin, 'create');
const organizationOf = async (client: Client, title: string) =>
  (await client.post('/v1/orgs', { title })).body.id as string;
/** One in which the admin has a weaker role than `create`, and one in which they have none. */
const [thirdOrganizationId, foreignOrganizationId] = [
  await organizationOf(outsider, 'Third'),
  await organizationOf(outsider, 'Foreign'),
];
await db
  .insertInto('membership')
  .values({ id: newId('member'), organizationId: thirdOrganizationId, userId: admin.userId, role: 'edit' })
  .execute();

/** Removes everything from the organization that nothing refers to. */
async function collectGarbage(): Promise<void> {
  advance(2 * 24 * 60 * 60 * 1_000);
  await collectOf(jobContext(app.services, 'job-test'), organizationId, new AbortController().signal);
}

const transfer = (path: string, organization: unknown = otherOrganizationId, client: Client = admin) =>
  client.post(`${path}/transfer`, { organization });

const created = async (given: Record<string, unknown> = {}, client = admin) =>
  (await client.post(`/v1/orgs/${organizationId}/spaces`, given)).body.id as string;

/** What a client can read of a furnished space, without the parts that belong to its organization. */
async function contentSeen(client: Client, { space, cr, page, file, reusable, doc }: Record<string, unknown>) {
  const base = `/v1/spaces/${space}`;
  const paths = [
    `${base}/content`,
    `${base}/content/pages`,
    `${base}/content/page/${page}?format=markdown`,
    `${base}/content/files`,
    `${base}/content/files/${file}`,
    `${base}/content/reusable-contents/${reusable}`,
    `${base}/documents/${doc}`,
    `${base}/revisions`,
    `${base}/links`,
    `${base}/comments`,
    `${base}/change-requests/${cr}`,
    `${base}/change-requests/${cr}/content/pages`,
    `${base}/change-requests/${cr}/comments`,
    `${base}/change-requests/${cr}/reviews`,
    `${base}/search?query=pixel`,
  ];
  const bodies = await Promise.all(paths.map((path) => client.get(path)));
  return bodies.map(({ status, body }, index) => [paths[index], status, withoutPlace(body)]);
}

/** Times of updates, scores and signed addresses change; the organization does. */
function withoutPlace(body: unknown): unknown {
  const left = /^(organization|updatedAt|downloadURL|score|rank|email|urls|space)$/;
  const text = JSON.stringify(body, (key, value) => (left.test(key) ? undefined : value));
  return JSON.parse(text.replace(/\/files\/org_[^)"]*/g, '/files/'));
}

/** Tables that still have a row of the space with the organization that it left. */
async function rowsLeft(spaceId: string): Promise<string[]> {
  const tables = await administer(
    databaseUrl,
    `select c.table_name as name, string_agg(c.column_name, ' ') as columns from information_schema.columns c
     where c.table_schema = 'public' group by 1 order by 1`,
  );
  const found: string[] = [];
  for (const { name, columns } of tables as { name: string; columns: string }[]) {
    const has = new Set(columns.split(' '));
    if (!has.has('organization_id') || !has.has('space_id') || name === 'event') continue;
    const rows = await administer(
      databaseUrl,
      `select 1 from "${name}" where space_id = '${spaceId}' and organization_id = '${organizationId}' limit 1`,
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}

/**
 * Ends what keeps a furnished space in its organization: its site, its Git connection, branch and operation, and its
 * translation.
 */
async function release({ space, site, gitrun, translation }: Record<string, unknown>): Promise<void> {
  await admin.delete(`/v1/orgs/${organizationId}/sites/${site}`);
  await admin.mutate('cancelGitRun', { gitRunId: gitrun }, 'gitRun { status }');
  await admin.delete(`/v1/spaces/${space}/git/connection`);
  await admin.delete(`/v1/spaces/${space}/git/legacy-installation`);
  expect((await admin.delete(`/v1/orgs/${organizationId}/translations/${translation}`)).status).toBe(205);
}

test('a transferred space has its content, history, change requests and comments, in the other organization', async () => {
  const furnished = await furnish(admin, organizationId);
  const spaceId = String(furnished.space);
  await release(furnished);
  await grant(spaceId, reader.userId, 'admin');
  const before = await contentSeen(admin, furnished);
  expect(before.map(([path, status]) => [path, status])).toEqual(before.map(([path]) => [path, 200]));
  const moved = await admin.restAs('transferSpace', 'POST', `/v1/spaces/${spaceId}/transfer`, {
    organization: otherOrganizationId,
  });
  expect([moved.status, moved.body]).toMatchObject([200, { id: spaceId, organization: otherOrganizationId }]);
  expect(moved.body).not.toHaveProperty('parent');
  expect(await contentSeen(admin, furnished)).toEqual(before);
  expect((await contentSeen(outsider, furnished)).map(([, status]) => status)).toEqual(before.map(() => 200));
  expect(await rowsLeft(spaceId)).toEqual([]);

  expect((await reader.get(`/v1/spaces/${spaceId}`)).status).toBe(404);
  const listed = async (client: Client, id: string) =>
    (await client.get(`/v1/orgs/${id}/spaces?limit=1000`)).body.items.map((item: { id: string }) => item.id);
  expect(await listed(admin, organizationId)).not.toContain(spaceId);
  expect(await listed(outsider, otherOrganizationId)).toContain(spaceId);
  const search = await outsider.get(`/v1/orgs/${otherOrganizationId}/search?query=pixel`);
  expect(search.body.items.map((item: { id: string }) => item.id)).toContain(spaceId);

  for (const id of [organizationId, otherOrganizationId]) await reachable(db, id); // which throws if anything is missing

  // Work goes on, and the garbage collection of the former organization takes nothing with it.
  await collectGarbage();
  expect(await contentSeen(admin, furnished)).toEqual(before);
  const { changeRequest } = await admin.mutate(
    'updateChangeRequest',
    { changeRequestId: furnished.cr, subject: 'Still here' },
    'changeRequest { subject }',
  );
  expect(changeRequest.subject).toBe('Still here');
  expect((await admin.delete(`/v1/spaces/${spaceId}/change-requests/${furnished.cr}/comments/x`)).status).toBe(204);
});

test('a space that shares content with one that stays leaves it whole', async () => {
  const furnished = await furnish(admin, organizationId);
  const copy = (await admin.post(`/v1/spaces/${furnished.space}/duplicate`)).body.id;
  expect((await transfer(`/v1/spaces/${copy}`)).status).toBe(200);
  await collectGarbage();
  const pagesOf = async (id: unknown) => (await admin.get(`/v1/spaces/${id}/content/page/${furnished.page}`)).status;
  expect([await pagesOf(furnished.space), await pagesOf(copy)]).toEqual([200, 200]);
});

describe('a duplicate whose source is transferred', () => {
  const searchedIn = async (id: string) =>
    (await admin.get(`/v1/spaces/${id}/search?query=pixel`)).body.items.map((page: { id: string }) => page.id);
  const tidy = () =>
    tidySearchIndex.run(jobContext(app.services, 'job-test'), {}, { signal: new AbortController().signal, retries: 0 });

  const withDuplicate = async () => {
    const sourceId = await created({ empty: true });
    const changes = [{ operation: 'insert_page', title: 'Pixels', document: { markdown: 'One pixel.' } }];
    expect((await admin.post(`/v1/spaces/${sourceId}/content`, { changes })).status).toBe(200);
    const copyId: string = (await admin.post(`/v1/spaces/${sourceId}/duplicate`)).body.id;
    const found = await searchedIn(copyId);
    expect(found).toHaveLength(1);
    return { sourceId, copyId, found };
  };

  test('is still found by a search within it', async () => {
    const { sourceId, copyId, found } = await withDuplicate();
    expect((await transfer(`/v1/spaces/${sourceId}`)).status).toBe(200);
    await tidy();
    expect(await searchedIn(copyId)).toEqual(found);
    expect(await searchedIn(sourceId)).toEqual(found);
  });

  test('is found again after an update from a version that lost its source', async () => {
    const { sourceId, copyId, found } = await withDuplicate();
    expect((await transfer(`/v1/spaces/${sourceId}`)).status).toBe(200);
    await db.deleteFrom('search_source').where('sourceId', '=', sourceId).execute();
    await db.updateTable('search_page').set({ version: 3 }).where('spaceId', '=', copyId).execute();
    expect(await searchedIn(copyId)).toEqual([]);
    await tidy();
    expect(await searchedIn(copyId)).toEqual(found);
  });
});

test('a transferred collection takes its whole subtree with it, deleted spaces too', async () => {
  const outer = (await admin.post(`/v1/orgs/${organizationId}/collections`, { title: 'Outer' })).body.id;
  const inner = (await admin.post(`/v1/orgs/${organizationId}/collections`, { title: 'Inner', parent: outer })).body.id;
  const [first, second, deleted] = [
    await created({ parent: inner, title: 'First' }),
    await created({ parent: outer, title: 'Second' }),
    await created({ parent: inner, title: 'Deleted' }),
  ];
  await admin.patch(`/v1/spaces/${first}`, { defaultLevel: null });
  await admin.delete(`/v1/spaces/${deleted}`);
  const moved = await admin.restAs('transferCollection', 'POST', `/v1/collections/${outer}/transfer`, {
    organization: otherOrganizationId,
  });
  expect([moved.status, moved.body]).toMatchObject([200, { id: outer, organization: otherOrganizationId }]);
  expect((await outsider.get(`/v1/collections/${inner}`)).body).toMatchObject({
    parent: outer,
    organization: otherOrganizationId,
  });
  expect(
    (await outsider.get(`/v1/collections/${inner}/spaces`)).body.items.map(({ id }: { id: string }) => id),
  ).toEqual([first]);
  expect((await admin.get(`/v1/spaces/${first}`)).body).toMatchObject({ parent: inner, permissions: { admin: true } });
  expect((await admin.get(`/v1/spaces/${second}`)).body.permissions.admin).toBe(true);
  expect((await admin.post(`/v1/spaces/${deleted}/restore`)).body).toMatchObject({
    parent: inner,
    organization: otherOrganizationId,
  });
  expect((await reader.get(`/v1/collections/${outer}`)).status).toBe(404);
});

test('a space that is removed for good does not move with its collection', async () => {
  const parent = await content.collection();
  const [kept, removed] = [await created({ parent }), await created({ parent })];
  await admin.delete(`/v1/spaces/${removed}`);
  advance(8 * 24 * 60 * 60 * 1_000);
  expect((await transfer(`/v1/collections/${parent}`)).status).toBe(200);
  expect((await admin.get(`/v1/spaces/${kept}`)).body.organization).toBe(otherOrganizationId);
  const stayed = await db.selectFrom('space').where('id', '=', removed).selectAll().executeTakeFirst();
  expect(stayed?.organizationId).toBe(organizationId);
  expect(await db.selectFrom('placement').where('itemId', '=', removed).selectAll().execute()).toEqual([]);
  await removeDeletedSpaces.run(
    jobContext(app.services, 'job-test'),
    {},
    { signal: new AbortController().signal, retries: 0 },
  );
  expect(await db.selectFrom('space').where('id', '=', removed).selectAll().execute()).toEqual([]);
  expect(await rowsLeft(removed)).toEqual([]);
});

test('the same in the graph', async () => {
  const spaceId = await created();
  const given = { spaceId, organizationId: otherOrganizationId };
  const { space } = await admin.mutate('transferSpace', given, 'space { id organization { id } parent { id } }');
  expect(space).toEqual({ id: spaceId, organization: { id: otherOrganizationId }, parent: null });
  await expect(outsider.mutate('transferSpace', given, '__typename')).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(admin.mutate('transferSpace', given, '__typename')).rejects.toMatchObject({ code: 'FORBIDDEN' });
  const collectionId = await content.collection();
  const { collection } = await admin.mutate(
    'transferCollection',
    { collectionId, organizationId: otherOrganizationId },
    'collection { id organization { id } }',
  );
  expect(collection).toEqual({ id: collectionId, organization: { id: otherOrganizationId } });
});

let spaceId: string;

beforeEach(async () => {
  spaceId = await created();
});

test('a transfer requires admin on the space and create in the other organization', async () => {
  const path = `/v1/spaces/${spaceId}`;
  expect((await transfer(path, otherOrganizationId, reader)).status).toBe(403);
  expect((await transfer(path, otherOrganizationId, guest)).status).toBe(404);
  expect((await transfer(path, otherOrganizationId, outsider)).status).toBe(404);
  expect((await transfer(path, otherOrganizationId, anonymous)).status).toBe(401);
  // Neither a weaker role there nor none is told from an organization that does not exist.
  const answers = [
    await transfer(path, thirdOrganizationId, admin),
    await transfer(path, foreignOrganizationId, admin),
    await transfer(path, 'org_absent', admin),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect((await transfer(path, organizationId)).status).toBe(409);
  expect((await transfer(path, 1)).status).toBe(400);
  expect((await admin.post(`${path}/transfer`, {})).status).toBe(400);
});

test('a space that is linked to a site, imported into or has reviewers of its organization stays', async () => {
  const path = `/v1/spaces/${spaceId}`;
  const site = await content.site({ spaces: [spaceId] });
  const linked = await transfer(path);
  expect([linked.status, linked.body.error.message]).toEqual([412, expect.stringContaining('site')]);
  await db.deleteFrom('site_space').where('siteId', '=', site).execute();

  const rules = [{ rule: 'require_specific_reviewers', users: [reader.userId] }];
  await admin.patch(path, { mergeRules: { type: 'rules', rules } });
  const reviewed = await transfer(path);
  expect([reviewed.status, reviewed.body.error.message]).toEqual([412, expect.stringContaining('merge rules')]);
  await admin.patch(path, { mergeRules: { type: 'inherit' } });
  expect((await admin.get(path)).body.organization).toBe(organizationId);
  expect((await transfer(path)).status).toBe(200);
});

test('a space stays while an import into it is waiting or running', async () => {
  const upload = await admin.send('POST', `/v1/orgs/${organizationId}/uploads?name=guide.md`, '# Guide\n', {
    'content-type': 'text/markdown',
  });
  const run = await admin.mutate(
    'startImportRun',
    { organizationId, source: { file: { uploadIds: [upload.body.id] } }, target: { spaceId } },
    'importRun { id status }',
  );
  expect(run.importRun.status).toBe('PENDING');
  const parent = await content.collection();
  expect((await admin.post(`/v1/spaces/${spaceId}/move`, { parent })).status).toBe(200);
  for (const status of ['pending', 'in-progress'] as const) {
    await db.updateTable('import_run').set({ status }).where('id', '=', run.importRun.id).execute();
    for (const path of [`/v1/spaces/${spaceId}`, `/v1/collections/${parent}`]) {
      const { status: answered, body } = await transfer(path);
      expect([answered, body.error.message]).toEqual([412, expect.stringContaining('import')]);
    }
  }
  expect((await admin.get(`/v1/spaces/${spaceId}`)).body.organization).toBe(organizationId);
  await admin.mutate('cancelImportRun', { importRunId: run.importRun.id }, '__typename');
  expect((await transfer(`/v1/spaces/${spaceId}`)).status).toBe(200);
});

test('modules above add conditions, which hold for collections too', async () => {
  const parent = await content.collection();
  await admin.post(`/v1/spaces/${spaceId}/move`, { parent });
  let isSynced = true;
  const bound = spaceId;
  addTransferPrecondition(async (_ctx, { spaceIds }) =>
    isSynced && spaceIds.includes(bound) ? `The space "${bound}" is synchronized. Disconnect it first.` : null,
  );
  for (const path of [`/v1/spaces/${spaceId}`, `/v1/collections/${parent}`]) {
    const { status, body } = await transfer(path);
    expect([status, body.error.message]).toEqual([412, expect.stringContaining('synchronized')]);
  }
  isSynced = false;
  expect((await transfer(`/v1/collections/${parent}`)).status).toBe(200);
});

test('a collection with something that the caller does not administer stays, as a whole', async () => {
  const outer = await content.collection();
  const parent = await content.collection({ parentId: outer });
  const inside = await content.space({ parentId: parent });
  await join(guest, 'create');
  await grant(outer, guest.userId, 'admin');
  await grant(inside, guest.userId, 'none');
  const refused = await transfer(`/v1/collections/${parent}`, otherOrganizationId, guest);
  expect([refused.status, refused.body.error.message]).toEqual([412, expect.not.stringContaining(inside)]);
  expect((await admin.get(`/v1/spaces/${inside}`)).body.organization).toBe(organizationId);
});

test('the Markdown of reusable contents moves along', async () => {
  const spaceId = await created({ empty: true });
  const markdown = '* one\n* two\n\n__bold__ text';
  const { body } = await admin.post(`/v1/spaces/${spaceId}/content`, {
    changes: [{ operation: 'insert_reusable_content', title: 'Note', document: { markdown } }],
  });
  expect((await transfer(`/v1/spaces/${spaceId}`)).status).toBe(200);
  await collectGarbage();
  const seen = async () =>
    (await admin.graphql(`{ space(id: "${spaceId}") { revision { reusableContents { nodes { id markdown } } } } }`))
      .space.revision.reusableContents.nodes;
  const [content] = await seen();
  expect([body.error, content.markdown.trim()]).toEqual([undefined, markdown]);
  const { status, body: edited } = await admin.post(`/v1/spaces/${spaceId}/content`, {
    changes: [
      {
        operation: 'update_reusable_content',
        reusableContent: content.id.split('-at-')[0],
        document: { markdown: 'other' },
      },
    ],
  });
  expect([edited.error, status]).toEqual([undefined, 200]);
});

describe('what leaves an organization is let go by an admin of the organization, or of the collection that it is in', () => {
  const OWN = { space: 'spaceId', collection: 'collectionId' } as const;
  const kinds = [
    ['space', (parentId?: string) => content.space({ parentId }), '/v1/spaces'],
    ['collection', (parentId?: string) => content.collection({ parentId }), '/v1/collections'],
  ] as const;
  const people = [
    ['a guest', guest],
    ['a member with the role create', creator],
  ] as const;
  const cases = kinds.flatMap((kind) => people.map((person) => [kind[0], person[0], kind, person[1]] as const));

  test.each(cases)('a %s of which %s is the admin', async (name, _who, [, make, base], client) => {
    const own = await organizationOf(client, 'Own');
    const outer = await content.collection();
    const [atTop, inside] = [await make(), await make(outer)];
    for (const id of [atTop, inside]) await grant(id, client.userId, 'admin');
    const mutation = name === 'space' ? 'transferSpace' : 'transferCollection';
    for (const id of [atTop, inside]) {
      const refused = await transfer(`${base}/${id}`, own, client);
      expect([refused.status, refused.body.error.message]).toEqual([403, expect.stringContaining('role "admin"')]);
      const given = { [OWN[name]]: id, organizationId: own };
      await expect(client.mutate(mutation, given, '__typename')).rejects.toMatchObject({ code: 'FORBIDDEN' });
      // Where it should go is not looked at before.
      expect((await transfer(`${base}/${id}`, 'org_absent', client)).status).toBe(403);
      expect((await transfer(`${base}/${id}`, 1, client)).status).toBe(403);
    }
    // The admin of the collection lets go of what is in it, and not of the collection itself.
    await grant(outer, client.userId, 'admin');
    expect((await transfer(`${base}/${atTop}`, own, client)).status).toBe(403);
    expect((await transfer(`/v1/collections/${outer}`, own, client)).status).toBe(403);
    const moved = await transfer(`${base}/${inside}`, own, client);
    expect([moved.status, moved.body.organization]).toEqual([200, own]);
    expect((await admin.get(`${base}/${inside}`)).status).toBe(404);
    expect((await admin.get(`${base}/${atTop}`)).body.organization).toBe(organizationId);
  });

  test('a guest cannot move a space to a parent from which it could be transferred', async () => {
    const [outer, own] = [await content.collection(), await content.collection()];
    const bound = await content.space({ parentId: outer });
    await grant(bound, guest.userId, 'admin');
    expect((await guest.post(`/v1/orgs/${organizationId}/collections`, { title: 'Mine' })).status).toBe(403);
    await grant(own, guest.userId, 'admin');
    expect((await guest.post(`/v1/spaces/${bound}/move`, { parent: own })).status).toBe(403);
    expect((await guest.post(`/v1/spaces/${bound}/move`, { parent: null })).status).toBe(403);
    const elsewhere = await organizationOf(guest, 'Elsewhere');
    expect((await transfer(`/v1/spaces/${bound}`, elsewhere, guest)).status).toBe(403);
  });
});

test('a transfer is an event in both organizations', async () => {
  await transfer(`/v1/spaces/${spaceId}`);
  const event = expect.objectContaining({ ids: { spaceId } });
  expect(await eventsBy('kind=space_transferred')).toContainEqual(event);
  const theirs = await outsider.get(`/v1/orgs/${otherOrganizationId}/events?kind=space_transferred&limit=1000`);
  expect(theirs.body.items).toContainEqual(event);
});

/** Statements for each space, whose pages are indexed again. */
const INDEXED = 3;

test('a transferred collection checks the reviewers of all its spaces at once, and records their events at once', async () => {
  const mergeRules = {
    type: 'rules' as const,
    rules: [{ rule: 'require_specific_reviewers' as const, users: [admin.userId] }],
  };
  const transferred = async (count: number) => {
    const parentId = await content.collection();
    const spaceIds = await Promise.all(Array.from({ length: count }, () => content.space({ parentId })));
    await db.updateTable('space').set({ mergeRules }).where('id', 'in', spaceIds).execute();
    const answer = await transfer(`/v1/collections/${parentId}`);
    expect(answer.status).toBe(200);
    const theirs = `/v1/orgs/${otherOrganizationId}/events?kind=space_transferred&limit=1000`;
    const lists = [await eventsBy('kind=space_transferred'), (await outsider.get(theirs)).body.items as EventBody[]];
    for (const events of lists) {
      const ids = events.filter((event) => event.ids.collectionId === parentId).map((event) => event.ids.spaceId);
      expect(ids.toSorted()).toEqual(spaceIds.toSorted());
    }
    return statementsOf(answer);
  };
  await transferred(1);
  // Less than one more for each space. A single statement more can be the renewal of a cached read.
  expect((await transferred(7)) - (await transferred(1))).toBeLessThan(6 * (INDEXED + 1));
});

test('a collection with a space that has reviewers of its organization stays, as a whole', async () => {
  const parentId = await content.collection();
  const [free, bound] = [await content.space({ parentId }), await content.space({ parentId })];
  const rules = [{ rule: 'require_specific_reviewers', users: [admin.userId, reader.userId] }];
  await admin.patch(`/v1/spaces/${bound}`, { mergeRules: { type: 'rules', rules } });
  const refused = await transfer(`/v1/collections/${parentId}`);
  expect([refused.status, refused.body.error.message]).toEqual([412, expect.stringContaining(bound)]);
  for (const id of [free, bound]) expect((await admin.get(`/v1/spaces/${id}`)).body.organization).toBe(organizationId);
});
