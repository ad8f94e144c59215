import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { makeWorkerPool } from '../../../src/platform/heavy-work/worker-pool.ts';
import { world } from '../../world.ts';
import { pets, petsWith, specifying } from './arrange.ts';

const here = await world({ WORKERS: '1' });
const { app, reader } = here;
const { all, put, versions } = specifying(here);
const { heavyWork } = app.services;
const { begin } = heavyWork;

/** Workers with little memory. */
const MEGABYTES = 32;
const small = makeWorkerPool(MEGABYTES, app.services.log);
afterAll(() => small.close());
afterEach(() => void vi.restoreAllMocks());

/** Lowers a bound of the workers for one kind of work. */
function lower(kind: Parameters<typeof begin>[0], bound: 'time' | 'memory'): void {
  vi.spyOn(heavyWork, 'begin').mockImplementation(async (asked, of) => {
    const slot = await begin(asked, of);
    if (asked !== kind) return slot;
    return {
      signal: slot.signal,
      inWorker: (module, input, options) =>
        bound === 'time'
          ? slot.inWorker(module, input, { ...options, limitMs: 1 })
          : small.run(module, input, { ...options, signal: slot.signal }),
      [Symbol.dispose]: () => slot[Symbol.dispose](),
    };
  });
}

/** A specification of about 5 MB, whose values take many times as much memory. */
const large = () => {
  const schema = {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`p${at}`, {}])),
  };
  const schemas = Array.from({ length: 20_000 }, (_, at) => [`S${at}`, schema]);
  return JSON.stringify({
    ...petsWith(),
    components: { schemas: { ...petsWith().components.schemas, ...Object.fromEntries(schemas) } },
  });
};

test.each([
  ['time', 'Processing was stopped because it took longer than 0.1 seconds.'],
  ['memory', `Processing was stopped because it took more than ${MEGABYTES} MB of memory.`],
] as const)(
  'a specification that exceeds its bound of %s is a PARSE_ERROR, and the next one is processed',
  async (bound, message) => {
    const slug = `too-much-${bound}`;
    const { lastVersion } = await put(slug, { text: pets() });
    lower('process-openapi', bound);
    const answer = put(slug, { text: large() });
    expect((await reader.get(`${all}/${slug}/versions/latest`)).body.id).toBe(lastVersion);
    expect(await answer).toMatchObject({
      lastVersion,
      lastProcessErrorCode: 'PARSE_ERROR',
      lastProcessedErrors: [{ message }],
    });
    expect(await versions(slug)).toHaveLength(1);
    vi.restoreAllMocks();
    const next = await put(slug, { text: pets({ tags: [] }) });
    expect(next).not.toHaveProperty('lastProcessErrorCode');
    expect(next.lastVersion).not.toBe(lastVersion);
  },
);

test.each([
  ['time', 'Linting was stopped because it took longer than 0.1 seconds.'],
  ['memory', `Linting was stopped because it took more than ${MEGABYTES} MB of memory.`],
] as const)('linting that exceeds its bound of %s fails, and the version stays', async (bound, failure) => {
  const slug = `lint-${bound}`;
  lower('lint-openapi', bound);
  const { lastVersion } = await put(slug, { text: bound === 'time' ? pets() : large() });
  const latest = async () => (await reader.get(`${all}/${slug}/versions/latest`)).body;
  await vi.waitFor(async () => expect((await latest()).lintState).not.toBe('pending'), {
    timeout: 25_000,
    interval: 50,
  });
  expect(await latest()).toMatchObject({ id: lastVersion, lintState: 'failed', lintFailure: failure });
  vi.restoreAllMocks();
  await put(slug, { text: pets({ tags: [] }) });
  await vi.waitFor(async () => expect((await latest()).lintState).toBe('complete'), { timeout: 25_000, interval: 50 });
});
