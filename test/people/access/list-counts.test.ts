import { expect, test } from 'vitest';
import { Client } from '../../client.ts';
import { world } from '../../world.ts';
import { startSecond } from './second-process.ts';

// The count of a list is the number of items that the caller gets, whichever process answers.

const { app, databaseUrl, admin, reader, guest, organizationId, otherOrganizationId, grant } = await world();
const second = await startSecond(databaseUrl);
const address = `http://127.0.0.1:${await second.listen()}`;
const elsewhere = (client: Client) => new Client(address, client.token, client.userId);

const ofOrganization = `/v1/orgs/${organizationId}`;
const makeSpace = async (parent?: string) =>
  (await admin.post(`${ofOrganization}/spaces`, parent === undefined ? {} : { parent })).body.id as string;
const makeCollection = async (parent?: string) =>
  (await admin.post(`${ofOrganization}/collections`, parent === undefined ? {} : { parent })).body.id as string;

const [outer, other] = [await makeCollection(), await makeCollection()];
const inner = await makeCollection(outer);
await makeCollection(outer);
const spaces = [await makeSpace(outer), await makeSpace(outer), await makeSpace(), await makeSpace()];
await grant(outer, guest.userId, 'read');

const LISTS = [
  `${ofOrganization}/spaces?`,
  `${ofOrganization}/collections?`,
  `${ofOrganization}/collections?nested=false&`,
  `/v1/collections/${outer}/spaces?`,
  `/v1/collections/${outer}/collections?`,
];

const CALLERS = [admin, elsewhere(reader), guest, elsewhere(guest)];

/** Throws unless each caller's count of each list is the number of items that the caller gets. Two processes answer. */
async function expectRightCounts(): Promise<void> {
  for (const caller of CALLERS) {
    for (const list of LISTS) {
      const { status, body: all } = await caller.get(`${list}limit=1000`);
      if (status !== 200) continue;
      expect([list, (await caller.get(`${list}limit=1`)).body.count]).toEqual([list, all.items.length]);
    }
  }
}

test('counts are the numbers of items', expectRightCounts);

test('a page after a cursor and the graph give the same count', async () => {
  const { body: first } = await admin.get(`${ofOrganization}/spaces?limit=1`);
  const { body: next } = await admin.get(
    `${ofOrganization}/spaces?limit=1&page=${encodeURIComponent(first.next.page)}`,
  );
  const { organization } = await admin.graphql(
    `query ($id: ID!) { organization(id: $id) { spaces(first: 1) { nodes { id } totalCount } } }`,
    { id: organizationId },
  );
  expect([first.count, next.count, organization.spaces.totalCount]).toEqual([4, 4, 4]);
});

const [moved = '', levelled = '', removed = ''] = spaces;

test.each<[string, () => Promise<unknown>]>([
  ['is added to a collection', () => makeSpace(outer)],
  ['is moved out of a collection', () => admin.post(`/v1/spaces/${moved}/move`, { parent: other })],
  ['is moved back', () => admin.post(`/v1/spaces/${moved}/move`, { parent: outer })],
  ['is hidden by its level', () => admin.patch(`/v1/spaces/${levelled}`, { defaultLevel: 'none' })],
  ['is shown by its level', () => admin.patch(`/v1/spaces/${levelled}`, { defaultLevel: 'read' })],
  ['is granted', () => grant(levelled, guest.userId, 'read')],
  ['is deleted', () => admin.delete(`/v1/spaces/${removed}`)],
  ['is restored', () => admin.post(`/v1/spaces/${removed}/restore`)],
  ['leaves with a transfer', () => admin.post(`/v1/spaces/${removed}/transfer`, { organization: otherOrganizationId })],
  ['is deleted by a statement of an operator', () => deleteByStatement(levelled)],
])('counts are right after a space %s', async (_change, change) => {
  await change();
  await expectRightCounts();
});

test.each<[string, () => Promise<unknown>]>([
  ['is added', () => makeCollection(outer)],
  ['is moved to the top level', () => admin.post(`/v1/collections/${inner}/move`, { parent: organizationId })],
  ['is closed to guests', () => grant(outer, guest.userId, 'none')],
  ['is opened to guests', () => grant(outer, guest.userId, 'edit')],
  ['is closed to members', () => admin.patch(`/v1/collections/${inner}`, { defaultLevel: 'none' })],
  ['is deleted', () => admin.delete(`/v1/collections/${inner}`)],
])('counts are right after a collection %s', async (_change, change) => {
  await change();
  await expectRightCounts();
});

const deleteByStatement = (id: string) => app.services.db.deleteFrom('space').where('id', '=', id).execute();
