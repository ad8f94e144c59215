import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { countVisit, writeVisits } from '../../src/domain/publishing/insights/index.ts';
import { abortable } from '../../src/platform/database/abortable.ts';
import { RateLimiter } from '../../src/platform/rate-limit/rate-limiter.ts';
import { publishedSite, spaceWith } from '../publishing/reader-world.ts';
import { petsWith, specifying } from '../sources/openapi/arrange.ts';
import { type World, world } from '../world.ts';
import { intruder } from './processes.ts';

// The deadline of a request must not pass while a test holds it.
const settings = { RATE_LIMIT: '0', REQUEST_TIMEOUT_MS: '120000' };
const here = await world(settings);
/** Processes specifications, and does other things in the background. */
const processing = await world({ ...settings, WORKERS: '1' });
const { app, admin, organizationId, databaseUrl } = here;
const { services } = app;
const { all, put } = specifying(processing);

/** Time in which a request or the end of a connection reaches the service. */
const ARRIVES_MS = 400;

/** What several requests share. */
interface Shared {
  by: World;
  address: string;
  /** The table that the work reads first. */
  table: string;
  /** A part of the statement. */
  statement: string;
}

const get = ({ by, address }: Shared, signal?: AbortSignal) =>
  fetch(address, { ...(signal && { signal }), headers: { authorization: `Bearer ${by.admin.token}` } }).then(
    ({ status }) => status,
    (error: Error) => error.name,
  );

/** Requests the same twice while a table is held. The first client leaves, and then perhaps the second. */
async function leaving(what: Shared, leave: 'first' | 'both') {
  await using other = await intruder(what.by.databaseUrl);
  await other.lockTable(what.table);
  /** When the statements began that wait for the table. */
  const waiting = async () => {
    const { rows } = await sql<{ begin: string }>`
      select query_start::text as begin from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database() and strpos(query, ${what.statement}) > 0`.execute(
      what.by.app.services.db,
    );
    return rows.map(({ begin }) => begin);
  };
  const clients = [new AbortController(), new AbortController()];
  const answers: Promise<number | string>[] = [];
  for (const { signal } of clients) {
    answers.push(get(what, signal));
    await expect.poll(waiting).toHaveLength(1);
    await sleep(ARRIVES_MS);
  }
  const begun = await waiting();
  clients[0]?.abort();
  expect(await answers[0]).toBe('AbortError');
  await sleep(ARRIVES_MS);
  // The same statement: if it began again, it would have another time.
  expect(await waiting()).toEqual(begun);
  if (leave === 'both') {
    clients[1]?.abort();
    await expect.poll(waiting).toEqual([]);
  }
  await other.release();
  return answers[1];
}

/** New ones of each kind. */
const shared: Record<string, () => Promise<Shared>> = {
  async 'the comparison of two versions of a specification'() {
    const slug = `pets-${performance.now()}`.replace('.', '-');
    const { lastVersion: first } = await put(slug, { text: JSON.stringify(petsWith()) });
    const { lastVersion: second } = await put(slug, { text: JSON.stringify(petsWith({ paths: {} })) });
    const address = `${processing.url}${all}/${slug}/versions/${first}/changes?base=${second}`;
    return { by: processing, address, table: 'openapi_file', statement: 'f.filename, f."specification"' };
  },
  async 'a PDF'() {
    const pdfOf = async (title: string): Promise<Shared> => {
      const { spaceId } = await spaceWith(admin, organizationId, title, [{ title: 'Page' }]);
      const { body } = await admin.get(`/v1/spaces/${spaceId}/pdf`);
      const address = body.url.replace(services.config.publicUrl, here.url);
      return { by: here, address, table: 'revision', statement: 'revision' };
    };
    const earlier = await pdfOf('Printed first');
    // The first PDF of a process takes long, and may not be ready within a request.
    await expect.poll(() => get(earlier), { timeout: 100_000 }).toBe(200);
    return pdfOf('Printed');
  },
  async 'the answer of a site'() {
    const { spaceId } = await spaceWith(admin, organizationId, 'Shown', [{ title: 'Page' }]);
    const site = await publishedSite(admin, organizationId, { title: 'Shown', spaces: [spaceId] });
    return { by: here, address: site.at('page'), table: 'revision', statement: 'revision' };
  },
};

const kinds = Object.entries(shared);

test.each(kinds)(
  '%s goes on for the second who asks, when the first leaves',
  async (_what, make) => {
    expect(await leaving(await make(), 'first')).toBe(200);
  },
  120_000,
);

test.each(kinds)(
  '%s ends when all who have asked have left, and can be asked again',
  async (_what, make) => {
    const what = await make();
    expect(await leaving(what, 'both')).toBe('AbortError');
    expect(await get(what)).toBe(200);
  },
  120_000,
);

/** Runs a function in a request that is cancelled once a statement waits for the table, and then releases the table. */
async function cancelledWhile<Result>(table: string, act: () => Promise<Result>, besides: () => Promise<Result>) {
  await using other = await intruder(databaseUrl);
  await other.lockTable(table);
  const request = new AbortController();
  const first = abortable(request.signal, act).catch((error: Error) => error.message);
  const second = besides();
  await expect.poll(() => other.waiting()).toBeGreaterThan(0);
  request.abort(new Error('left'));
  await sleep(ARRIVES_MS);
  await other.release();
  return { first: await first, second: await second };
}

test('requests that are counted together are, when the first of them is cancelled', async () => {
  const limiter = new RateLimiter(services, 100);
  const count = async () => (await limiter.count('shared by all')).isOver;
  const { second } = await cancelledWhile('rate_lease', count, count);
  expect(second).toBe(false);
});

test('visits are counted, although the visitor with whom counting began has left', async () => {
  const { spaceId, pageIds } = await spaceWith(admin, organizationId, 'Visited', [{ title: 'Page' }]);
  const site = await publishedSite(admin, organizationId, { title: 'Visited', spaces: [spaceId] });
  const request = new AbortController();
  const [pageId = ''] = pageIds;
  const counted = { id: site.id, organizationId };
  abortable(request.signal, () =>
    countVisit(services, counted, { type: 'page_view', pageId, referrer: null, query: null }),
  );
  countVisit(services, counted, { type: 'page_view', pageId, referrer: null, query: null });
  request.abort(new Error('left'));
  const views = async () => (await admin.get(`${site.path}/insights`)).body.events;
  await vi.waitFor(async () => expect(await views()).toMatchObject([{ type: 'page_view', total: 2 }]), {
    timeout: 10_000,
    interval: 100,
  });
  await writeVisits(services);
});
