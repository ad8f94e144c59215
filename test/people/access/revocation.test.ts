import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Client } from '../../client.ts';
import { world } from '../../world.ts';
import { startSecond } from './second-process.ts';

const { app, databaseUrl, organizationId, creator, guest, url, grant } = await world();
const { db } = app.services;

const second = await startSecond(databaseUrl);
const secondUrl = `http://127.0.0.1:${await second.listen()}`;
const clients = [new Client(url, guest.token), new Client(secondUrl, guest.token)];
const ROUNDS = 250;
const HEAD_STARTS = 25;

const collection = (await creator.post(`/v1/orgs/${organizationId}/collections`)).body.id as string;
const spaceId = (await creator.post(`/v1/orgs/${organizationId}/spaces`, { parent: collection })).body.id as string;
const comments = `/v1/spaces/${spaceId}/comments`;

/** Takes the role away. Returns the number of comments just before the commit, when no other write can be under way. */
const revoke = () =>
  db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('grant').where('granteeId', '=', guest.userId).execute();
    return countComments(transaction);
  });

const countComments = async (from: typeof db) => {
  const { count } = await from
    .selectFrom('comment')
    .where('spaceId', '=', spaceId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
};

test('what starts after a role was taken away sees nothing, and nothing is written after it, on two processes', {
  timeout: 240_000,
}, async () => {
  let written = 0;
  for (let round = 0; round < ROUNDS; round++) {
    await grant(collection, guest.userId, 'comment');
    const before = await Promise.all(clients.map((client) => client.get(`/v1/spaces/${spaceId}`)));
    expect(before.map(({ status }) => status)).toEqual([200, 200]);

    const underWay = clients.flatMap((client) => [
      client.post(comments, { body: { markdown: `Round ${round}` } }),
      client.get(comments),
    ]);
    // At another point of the writes each time: before they begin, among them, and after them.
    await sleep(round % HEAD_STARTS);
    const atRevocation = await revoke();
    const after = await Promise.all(
      clients.flatMap((client) => [
        client.get(`/v1/spaces/${spaceId}`),
        client.get(comments),
        client.post(comments, { body: { markdown: 'Too late' } }),
      ]),
    );
    expect(after.map(({ status }) => status)).toEqual(after.map(() => 404));
    const answers = await Promise.all(underWay);
    for (const { status } of answers) expect([200, 201, 404]).toContain(status);
    expect(await countComments(db)).toBe(atRevocation);
    written = atRevocation;
  }
  // Some writes came first, so that the race was a race.
  expect(written).toBeGreaterThan(0);
});
