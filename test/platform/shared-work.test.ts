import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ANONYMOUS } from '../../src/platform/access/actor.ts';
import { asAccount, currentAccount } from '../../src/platform/context/account.ts';
import type { Context } from '../../src/platform/context/context.ts';
import { accessOutsideTransactions } from '../../src/platform/context/database-access.ts';
import { RequestDeadline } from '../../src/platform/context/request-deadline.ts';
import { abortable, currentSignal } from '../../src/platform/database/abortable.ts';
import { inTransaction } from '../../src/platform/operation/transact.ts';
import { SharedWork } from '../../src/platform/reads/shared-work.ts';
import { world } from '../world.ts';

const { app } = await world();
const { services } = app;

const LEFT = new Error('left');

/** A request of its own. */
function request() {
  const work = new RequestDeadline(Number.POSITIVE_INFINITY);
  const ctx: Context = {
    ...accessOutsideTransactions(services, { statements: 0, milliseconds: 0 }),
    actor: ANONYMOUS,
    services,
    requestId: 'test',
    log: services.log,
    deadline: work,
    inTransaction: false,
  };
  return {
    ctx,
    cancel: () => work.cancel(LEFT),
    /** The client disconnects. */
    leave() {
      work.endsWithClient();
      work.clientLeft();
    },
    run: <Result>(act: () => Result) => asAccount('the caller', () => abortable(work.signal, act)),
  };
}

/** Work that takes a while in the database, and notes how often it began. */
function slowly(shared: SharedWork<number>, seconds = 0.3) {
  const seen: { began: number; contexts: Context[]; cancelled: unknown[]; accounts: string[] } = {
    began: 0,
    contexts: [],
    cancelled: [],
    accounts: [],
  };
  const act = async (own: Context) => {
    seen.began++;
    seen.contexts.push(own);
    seen.accounts.push(currentAccount());
    const signal = currentSignal();
    signal?.addEventListener('abort', () => seen.cancelled.push(signal.reason));
    await sql`select pg_sleep(${seconds})`.execute(own.db);
    return seen.began;
  };
  return { seen, join: (by: ReturnType<typeof request>) => by.run(() => shared.join(by.ctx, 'key', act)) };
}

test('requests share the work, which is part of none of them, and nothing is kept', async () => {
  const shared = new SharedWork<number>();
  const { seen, join } = slowly(shared);
  const [one, other] = [request(), request()];
  const both = [join(one), join(other)];
  expect([shared.size, shared.has('key'), shared.has('another')]).toEqual([1, true, false]);
  expect(await Promise.all(both)).toEqual([1, 1]);
  const [own] = seen.contexts;
  expect(own?.deadline).not.toBe(one.ctx.deadline);
  expect([seen.accounts, one.ctx.meter?.statements, other.ctx.meter?.statements]).toEqual([['the caller'], 1, 0]);
  expect(shared.size).toBe(0);
  expect(await join(other)).toBe(2);
});

test('a cancelled request stops waiting, and the work continues for the others', async () => {
  const { seen, join } = slowly(new SharedWork());
  const [first, second] = [request(), request()];
  const [one, other] = [join(first), join(second)];
  first.cancel();
  await expect(one).rejects.toBe(LEFT);
  expect(await other).toBe(1);
  expect(seen.cancelled).toEqual([]);
  await expect(join(first)).rejects.toBe(LEFT);
});

test('work without waiters is cancelled, and the next request starts it again', async () => {
  const shared = new SharedWork<number>();
  const { seen, join } = slowly(shared);
  const [first, second, third] = [request(), request(), request()];
  const both = [join(first), join(second)];
  first.leave();
  second.leave();
  for (const each of both) await expect(each).rejects.toThrow('disconnected');
  const last = join(third);
  expect(seen.cancelled).toMatchObject([{ message: 'All requests that waited have ended.' }]);
  expect(await last).toBe(2);
});

test('an error is that of all who wait, and is not kept', async () => {
  const shared = new SharedWork<string>();
  let began = 0;
  const act = async () => {
    began++;
    if (began === 1) throw new Error('once');
    return 'well';
  };
  const join = () => shared.join(request().ctx, 'key', act);
  expect((await Promise.allSettled([join(), join()])).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect([await join(), began]).toEqual(['well', 2]);
});

test('when something is unavailable to who began, the others try again, together', async () => {
  const shared = new SharedWork<string>();
  let began = 0;
  const act = async () => {
    began++;
    if (began === 1) throw new Error('timeout exceeded when trying to connect');
    return 'well';
  };
  const join = () => shared.join(request().ctx, 'key', act);
  const [first, ...others] = await Promise.allSettled([join(), join(), join()]);
  expect([first?.status, began]).toEqual(['rejected', 2]);
  expect(others).toEqual(Array(2).fill({ status: 'fulfilled', value: 'well' }));
});

test('work ends at its time limit, and can begin again', async () => {
  const shared = new SharedWork<number>({ limitMs: 200 });
  const { seen, join } = slowly(shared, 30);
  await expect(join(request())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(shared.has('key')).toBe(false);
  await expect(join(request())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(seen.began).toBe(2);
});

test('in a transaction the work is not shared: it reads what the transaction has written', async () => {
  const shared = new SharedWork<boolean>();
  const { ctx } = request();
  const act = async (own: Context) => own.inTransaction;
  expect(await inTransaction(ctx, (inside) => shared.join(inside, 'key', act))).toBe(true);
  expect(await shared.join(ctx, 'key', act)).toBe(false);
});

test('who was told to ask again finds the work still running, unless the client has left', async () => {
  const tooSlow = () => new Error('Ask again.');
  const shared = new SharedWork<number>({ patience: { milliseconds: 100, tooSlow }, lingerMs: 60_000 });
  const { seen, join } = slowly(shared, 1);
  let found: number | undefined;
  for (let tries = 0; found === undefined && tries < 100; tries++) {
    found = await join(request()).catch((error) => void expect(error.message).toBe('Ask again.'));
    if (tries === 0) expect(found).toBeUndefined();
  }
  expect([found, seen.began, seen.cancelled]).toEqual([1, 1, []]);
  const gone = request();
  const left = join(gone);
  gone.leave();
  await expect(left).rejects.toThrow('disconnected');
  expect(seen.cancelled).toHaveLength(1);
});

test('a client that disconnects does not end work that another was told to ask for again', async () => {
  const tooSlow = () => new Error('Ask again.');
  const shared = new SharedWork<number>({ patience: { milliseconds: 100, tooSlow }, lingerMs: 60_000 });
  const { seen, join } = slowly(shared, 30);
  await expect(join(request())).rejects.toThrow('Ask again.');
  const gone = request();
  const left = join(gone);
  gone.leave();
  await expect(left).rejects.toThrow('disconnected');
  expect([seen.began, seen.cancelled, shared.has('key')]).toEqual([1, [], true]);
});

test('work that nobody has asked for again ends after its time', async () => {
  const tooSlow = () => new Error('Ask again.');
  const shared = new SharedWork<number>({ patience: { milliseconds: 20, tooSlow }, lingerMs: 100 });
  const { seen, join } = slowly(shared, 30);
  await expect(join(request())).rejects.toThrow('Ask again.');
  expect(seen.cancelled).toEqual([]);
  await expect.poll(() => seen.cancelled.length).toBe(1);
  await expect.poll(() => shared.size).toBe(0);
});
