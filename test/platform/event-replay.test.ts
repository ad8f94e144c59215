import { expect, test } from 'vitest';
import { newId } from '../../src/platform/ids/ids.ts';
import { settled } from '../settled.ts';
import { follow, Stream } from '../stream.ts';
import { world } from '../world.ts';

const PER_MINUTE = 1_000;

const { app, creator, reader, organizationId, advance } = await world({ QUERY_COST_PER_MINUTE: String(PER_MINUTE) });
const { db, costs } = app.services;

const CHANGED = 'subscription($id: ID!) { spaceUpdated(id: $id) { title } }';

const newSpace = async () =>
  (await creator.mutate('createSpace', { organizationId, title: 'Quiet' }, 'space { id }')).space.id as string;

/** Records events of another space, as many changes of its content do. */
async function recordElsewhere(kind: 'space_content_updated' | 'space_updated', count: number): Promise<void> {
  const spaceId = await newSpace();
  const events = Array.from({ length: count }, () => ({
    id: newId('event'),
    organizationId,
    kind,
    actorId: creator.userId,
    spaceId,
    ids: JSON.stringify({ spaceId }) as never,
  }));
  await db.insertInto('event').values(events).execute();
}

test.each([
  ['that change nothing for the caller', 'space_content_updated', PER_MINUTE + 500],
  ['after which the caller is authorized again', 'space_updated', PER_MINUTE / 2],
] as const)('past events %s are read at the allowance of the caller', async (_which, kind, count) => {
  advance(3_600_000);
  const id = await newSpace();
  const request = { query: CHANGED, variables: { id } };
  const first = await follow(app, reader, request);
  const rename = (title: string) => creator.patch(`/v1/spaces/${id}`, { title });
  await rename('Before');
  await expect.poll(() => first.answers.length, { interval: 20 }).toBe(1);
  first.close();
  await recordElsewhere(kind, count);
  await rename('After');
  await settled(db);
  const lastId = first.frames.find(({ event }) => event === 'next')?.id ?? '';
  const replay = new Stream(reader, { ...request, headers: { 'last-event-id': lastId } });
  await expect.poll(() => costs?.secondsToWait(reader.userId), { interval: 5 }).toBeGreaterThan(0);
  expect(replay.answers).toEqual([]);
  advance(120_000);
  await expect.poll(() => replay.answers.length, { interval: 20, timeout: 20_000 }).toBe(1);
  replay.close();
});
