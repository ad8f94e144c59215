import { expect, test, vi } from 'vitest';
import { FairSlots } from '../../src/platform/fair-shares/fair-slots.ts';
import { world } from '../world.ts';
import { intruder } from './processes.ts';

const { admin, reader, anonymous, organizationId, databaseUrl } = await world({
  DATABASE_POOL: '2',
  DATABASE_POOL_TIMEOUT_MS: '1500',
});

test('if all connections are in use, requests are SERVICE_UNAVAILABLE until one is free', async () => {
  await Promise.all([admin.get('/v1/user'), reader.get('/v1/user')]);
  await using other = await intruder(databaseUrl);
  await other.lockOrganization(organizationId);
  const holding = ['First', 'Second'].map((title) => admin.patch(`/v1/orgs/${organizationId}`, { title }));
  await expect.poll(() => other.waiting()).toBe(2);

  const answered: string[] = [];
  const noted = async <Answer>(name: string, answer: Promise<Answer>) => {
    const whole = await answer;
    answered.push(name);
    return whole;
  };
  const refused = [
    noted('rest', reader.get('/v1/orgs')),
    noted('graph', reader.graphqlRaw('{ viewer { organizations { nodes { title } } } }')),
  ];
  const health = await noted('health', anonymous.get('/healthz'));
  const [rest, graph] = await Promise.all(refused);
  // Those that wait for a connection keep nobody who needs none.
  expect(answered[0]).toBe('health');
  for (const answer of [rest, graph]) {
    const { status, headers, body } = answer ?? expect.fail('Both were answered.');
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('1');
    expect(body.error).toMatchObject({ code: 503, requestId: headers.get('x-request-id') });
  }
  expect(graph?.body.errors).toMatchObject([{ extensions: { code: 'SERVICE_UNAVAILABLE' } }]);
  expect(health.status).toBe(200);

  await other.release();
  expect((await Promise.all(holding)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await reader.get('/v1/orgs')).status).toBe(200);
});

test('a connection closed by the database is reported and replaced', async () => {
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

test('connections are counted for the user over all tokens, and for the address without one', async () => {
  const accounts = new Set<string>();
  const { take } = FairSlots.prototype;
  vi.spyOn(FairSlots.prototype, 'take').mockImplementation(function (this: FairSlots, account, ...rest) {
    accounts.add(String(account));
    return take.call(this, account, ...rest);
  });
  const { body } = await reader.get('/v1/user');
  await reader.get('/v1/orgs');
  await anonymous.graphql('{ space(id: "space_absent") { id } }').catch(() => {});
  expect(accounts).toContain(body.id);
  expect(accounts).toContain('address:127.0.0.1');
});
