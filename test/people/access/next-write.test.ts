import { expect, test } from 'vitest';
import { Client } from '../../client.ts';
import { world } from '../../world.ts';
import { startSecond } from './second-process.ts';

const { app, databaseUrl, organizationId, admin, creator, guest, grant } = await world();
const { db } = app.services;
const second = await startSecond(databaseUrl);
const elsewhere = new Client(`http://127.0.0.1:${await second.listen()}`, guest.token);

/** A space in a collection, and the ways of the guest to write in it, on two processes. */
async function arrange() {
  const collection = (await creator.post(`/v1/orgs/${organizationId}/collections`)).body.id as string;
  const { body: space } = await creator.post(`/v1/orgs/${organizationId}/spaces`, { parent: collection });
  const spaceId = space.id as string;
  const path = `/v1/spaces/${spaceId}`;
  const comment = (by: Client) => by.post(`${path}/comments`, { body: { markdown: 'Hello' } });
  const propose = (by: Client) => by.post(`${path}/change-requests`, {});
  /** The statuses of a comment and a change request of the guest, here and elsewhere. */
  const statuses = async () => {
    const answers = [await comment(guest), await propose(guest), await comment(elsewhere), await propose(elsewhere)];
    return answers.map(({ status }) => status);
  };
  return { collection, spaceId, path, comment, propose, statuses };
}

/** Comments are answered with 200, as GitBook does, and change requests with 201. */
const ALLOWED = [200, 201, 200, 201];
const all = (status: number) => [status, status, status, status];

test('a role that is given, changed and taken away counts with the next write', async () => {
  const { collection, spaceId, statuses } = await arrange();
  expect(await statuses()).toEqual(all(404));
  await grant(collection, guest.userId, 'edit');
  expect(await statuses()).toEqual(ALLOWED);
  await grant(collection, guest.userId, 'comment');
  expect(await statuses()).toEqual([200, 403, 200, 403]);
  await grant(collection, guest.userId, 'read');
  expect(await statuses()).toEqual(all(403));
  await grant(spaceId, guest.userId, 'edit');
  expect(await statuses()).toEqual(ALLOWED);
  await db.deleteFrom('grant').where('granteeId', '=', guest.userId).execute();
  expect(await statuses()).toEqual(all(404));
});

test('nothing is written in a space that is moved away, deleted, or of a blocked organization', async () => {
  const { collection, spaceId, path, statuses } = await arrange();
  await grant(collection, guest.userId, 'edit');
  expect(await statuses()).toEqual(ALLOWED);

  const { body: other } = await creator.post(`/v1/orgs/${organizationId}/collections`);
  expect((await admin.post(`${path}/move`, { parent: other.id })).status).toBeLessThan(300);
  expect(await statuses()).toEqual(all(404));
  expect((await admin.post(`${path}/move`, { parent: collection })).status).toBeLessThan(300);
  expect(await statuses()).toEqual(ALLOWED);

  const block = (blocked: object | null) =>
    db
      .updateTable('organization')
      .set({ blocked: blocked as never })
      .where('id', '=', organizationId)
      .execute();
  await block({ source: 'operator', reason: 'unpaid' });
  expect(await statuses()).toEqual(all(403));
  await block(null);
  expect(await statuses()).toEqual(ALLOWED);

  expect((await admin.delete(path)).status).toBeLessThan(300);
  expect(await statuses()).toEqual(all(404));
  const { count } = await db
    .selectFrom('comment')
    .where('spaceId', '=', spaceId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  expect(count).toBe(6);
});

test('what is wrong with a body is told only to those who may write', async () => {
  const { collection, path, comment } = await arrange();
  const empty = (by: Client) => by.post(`${path}/comments`, { body: { markdown: ' ' } });
  await grant(collection, guest.userId, 'comment');
  expect((await comment(guest)).status).toBe(200);
  expect((await empty(guest)).status).toBe(400);
  await db.deleteFrom('grant').where('granteeId', '=', guest.userId).execute();
  expect((await empty(guest)).status).toBe(404);
});

test('a comment on a space has the revision of the moment when it is written', async () => {
  const { collection, path, comment } = await arrange();
  await grant(collection, guest.userId, 'edit');
  await comment(guest);
  const changes = [{ operation: 'insert_reusable_content', title: 'Note', document: { markdown: 'Mind the gap.' } }];
  expect(await creator.post(`${path}/content`, { changes })).toMatchObject({ status: 200 });
  const { body: now } = await creator.get(`${path}/content`);
  const { body: posted } = await comment(guest);
  expect(posted.target.revision).toBe(now.id);
});
