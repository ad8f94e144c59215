import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { world } from '../world.ts';
import { intruder } from './processes.ts';

const { admin, reader, anonymous, organizationId, databaseUrl } = await world({ DATABASE_POOL: '2' });

/** A machine that is busy with other tests may take longer. */
const RETRIED = { retry: 2 };

test(
  'when all connections are taken, requests are told to come back within two seconds, and the process lives',
  RETRIED,
  async () => {
    await Promise.all([admin.get('/v1/user'), reader.get('/v1/user')]);
    await using other = await intruder(databaseUrl);
    await other.lockOrganization(organizationId);
    const holding = ['First', 'Second'].map((title) => admin.patch(`/v1/orgs/${organizationId}`, { title }));
    await expect.poll(() => other.waiting()).toBe(2);

    const timed = async <Answer>(answer: Promise<Answer>) => {
      const begun = performance.now();
      return { ...(await answer), took: performance.now() - begun };
    };
    const [rest, graph, health] = await Promise.all([
      timed(reader.get('/v1/orgs')),
      timed(reader.graphqlRaw('{ viewer { organizations { nodes { title } } } }')),
      timed(sleep(200).then(() => anonymous.get('/healthz'))),
    ]);
    for (const { status, headers, body, took } of [rest, graph]) {
      expect(status).toBe(503);
      expect(headers.get('retry-after')).toBe('1');
      expect(body.error).toMatchObject({ code: 503, requestId: headers.get('x-request-id') });
      expect(took).toBeLessThan(2_000);
    }
    expect(graph.body.errors).toMatchObject([{ extensions: { code: 'SERVICE_UNAVAILABLE' } }]);
    expect(health.status).toBe(200);
    expect(health.took).toBeLessThan(700);

    await other.release();
    expect((await Promise.all(holding)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await reader.get('/v1/orgs')).status).toBe(200);
  },
);

test('a connection that the database cuts is told as such, and replaced', async () => {
  await using other = await intruder(databaseUrl);
  await other.lockOrganization(organizationId);
  const writing = admin.patch(`/v1/orgs/${organizationId}`, { title: 'Cut off' });
  await expect.poll(() => other.waiting()).toBe(1);
  await other.cutWaiting();
  const { status, headers } = await writing;
  expect([status, headers.get('retry-after')]).toEqual([503, '1']);
  await other.release();
  const { body } = await admin.get(`/v1/orgs/${organizationId}`);
  expect(body.title).not.toBe('Cut off');
});
