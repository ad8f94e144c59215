import { expect, test } from 'vitest';
import { removeExpiredSessions } from '../../src/domain/people/sessions/remove-expired-sessions.ts';
import { removeExpiredVerifications } from '../../src/domain/people/users/remove-expired-verifications.ts';
import { hashSession } from '../../src/platform/access/credentials.ts';
import { removeEndedKeysJob } from '../../src/platform/idempotency/remove-ended-keys.ts';
import { newId } from '../../src/platform/ids/ids.ts';
import { deleteInBatches } from '../../src/platform/jobs/delete-in-batches.ts';
import { jobContext } from '../../src/platform/jobs/job.ts';
import { world } from '../world.ts';

const NEVER = new AbortController().signal;

test('batches are deleted until one is not full', async () => {
  const found = [2, 2, 1];
  const limits: number[] = [];
  await deleteInBatches(
    NEVER,
    async (limit) => {
      limits.push(limit);
      return found.shift() ?? 0;
    },
    2,
  );
  expect([limits, found]).toEqual([[2, 2, 2], []]);
});

test('no batch begins after the job has been aborted', async () => {
  const aborting = new AbortController();
  const deleteSome = async () => {
    aborting.abort(new Error('stopped'));
    return 2;
  };
  await expect(deleteInBatches(aborting.signal, deleteSome, 2)).rejects.toThrow('stopped');
});

test('more expired rows than a batch has are deleted in one run, and others stay', async () => {
  const { app, admin } = await world();
  const { db } = app.services;
  const sessions = Array.from({ length: 2_500 }, (_, index) => ({
    id: newId('session'),
    userId: admin.userId,
    secretHash: hashSession(String(index)),
    expiresAt: index === 0 ? '2999-01-01T00:00:00.000Z' : '2020-01-01T00:00:00.000Z',
  }));
  await db.insertInto('session').values(sessions).execute();
  await removeExpiredSessions.run(jobContext(app.services, 'test'), {}, { signal: NEVER, retries: 0 });
  expect(await db.selectFrom('session').select('id').execute()).toEqual([{ id: sessions[0]?.id }]);
});

test('keys of commands and verifications of addresses are deleted in batches too, of which none begins after the end of the job', async () => {
  const { app, admin } = await world();
  const { db } = app.services;
  const long = '2020-01-01T00:00:00.000Z';
  const keyed = { actorId: admin.userId, operation: 'createSpace', inputHash: hashSession(''), createdAt: long };
  const keys = Array.from({ length: 2_500 }, (_, index) => ({ ...keyed, key: String(index), outcome: '{}' as never }));
  await db.insertInto('idempotency_key').values(keys).execute();
  const times = { requestedAt: long, expiresAt: long, windowStart: long };
  const verification = { userId: admin.userId, email: 'new@acme.example', ...times };
  await db.insertInto('email_verification').values(verification).execute();
  const left = async () => [
    (await db.selectFrom('idempotency_key').select('key').execute()).length,
    (await db.selectFrom('email_verification').select('userId').execute()).length,
  ];
  const jobs = [removeEndedKeysJob, removeExpiredVerifications];
  const ctx = jobContext(app.services, 'test');
  const signal = AbortSignal.abort(new Error('stopped'));
  for (const job of jobs) await expect(job.run(ctx, {}, { signal, retries: 0 })).rejects.toThrow('stopped');
  expect(await left()).toEqual([2_500, 1]);
  for (const job of jobs) await job.run(ctx, {}, { signal: NEVER, retries: 0 });
  expect(await left()).toEqual([0, 0]);
});
