import { syncBuiltinESMExports } from 'node:module';
import { sql } from 'kysely';
import pino from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type EventConsumer,
  registerEventConsumers,
  startEventConsumer,
} from '../../src/platform/events/event-consumer.ts';
import { newId } from '../../src/platform/ids/ids.ts';
import { settled } from '../settled.ts';
import { world } from '../world.ts';

const { app, creator, organizationId } = await world();
const { db } = app.services;

/** What a batch of the slow consumer takes on the fake clock, in milliseconds. */
const WORK_MS = 300;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  // `node:timers/promises` is imported by name.
  syncBuiltinESMExports();
});

afterEach(() => {
  vi.useRealTimers();
  syncBuiltinESMExports();
});

const newSpaces = async (count: number) => {
  for (let number = 0; number < count; number++)
    await creator.mutate('createSpace', { organizationId, title: 'Space' }, 'space { id }');
  await settled(db);
};

interface Batch {
  events: number;
  began: number;
  ended: number;
}

/** Runs a consumer whose batches are slow, and what they were. */
async function slowConsumer({ fails = false } = {}) {
  const batches: Batch[] = [];
  const consumer: EventConsumer = {
    name: `slow, ${fails ? 'failing' : 'working'}, ${newId('event')}`,
    begins: 'registration',
    async take(_ctx, events) {
      const began = performance.now();
      vi.advanceTimersByTime(WORK_MS);
      batches.push({ events: events.length, began, ended: performance.now() });
      if (fails) throw new Error('It fails.');
    },
  };
  await settled(db);
  await registerEventConsumers(db, [consumer]);
  const { stop } = startEventConsumer({ ...app.services, log: pino({ level: 'silent' }) }, consumer);
  /** Lets time go on until there are so many batches. */
  const until = (count: number) =>
    expect
      .poll(() => {
        vi.advanceTimersByTime(10);
        return batches.length;
      })
      .toBe(count);
  return { batches, until, stop };
}

test('events that arrive while a consumer rests are taken together', async () => {
  const { batches, until, stop } = await slowConsumer();
  await newSpaces(1);
  await until(1);
  await newSpaces(3);
  await until(2);
  await stop();
  expect(batches.map(({ events }) => events)).toEqual([1, 3]);
});

test.each([false, true])('a slow consumer works for at most a fifth of the time (fails: %s)', async (fails) => {
  const { batches, until, stop } = await slowConsumer({ fails });
  for (let count = 1; count <= 3; count++) {
    await newSpaces(1);
    await until(count);
  }
  await stop();
  const rests = batches.slice(1).map(({ began }, index) => began - (batches[index]?.ended ?? 0));
  for (const rest of rests) expect(rest).toBeGreaterThanOrEqual(4 * WORK_MS);
});

test('a batch that waits for the database without end is given up, and taken again', async () => {
  let attempts = 0;
  const consumer: EventConsumer = {
    name: `hanging, ${newId('event')}`,
    begins: 'registration',
    async take(ctx) {
      attempts++;
      if (attempts === 1) await sql`select pg_sleep(50)`.execute(ctx.db);
    },
  };
  await settled(db);
  await registerEventConsumers(db, [consumer]);
  const { stop } = startEventConsumer({ ...app.services, log: pino({ level: 'silent' }) }, consumer);
  await newSpaces(1);
  const attemptsAfter = (milliseconds: number) => () => {
    vi.advanceTimersByTime(milliseconds);
    return attempts;
  };
  await expect.poll(attemptsAfter(10)).toBe(1);
  vi.advanceTimersByTime(120_000);
  await expect.poll(attemptsAfter(100)).toBe(2);
  await stop();
});
