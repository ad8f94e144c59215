import { beforeEach, expect, test } from 'vitest';
import { removeOldInsights } from '../../src/domain/publishing/insights/remove-old-insights.ts';
import { newId } from '../../src/platform/ids/ids.ts';
import { jobContext } from '../../src/platform/jobs/job.ts';
import { world } from '../world.ts';
import { siteWith, spaceTitled } from './arrange.ts';

const { app, creator, reader, guest, outsider, anonymous, organizationId, otherOrganizationId, advance } =
  await world();
const guides = await spaceTitled(creator, organizationId, 'Guides');
const pageId = (await creator.get(`/v1/spaces/${guides}/content/pages`)).body.pages[0].id;

let site: Awaited<ReturnType<typeof siteWith>>;
beforeEach(async () => {
  site = await siteWith(creator, organizationId, { title: 'Docs', spaces: [guides] });
  await creator.post(`${site.path}/publish`);
});

const session = (referrer: string | null = null) => ({
  visitorId: 'v',
  sessionId: 's',
  cookies: { secret: 'cookie' },
  userAgent: 'Browser',
  language: 'en',
  referrer,
});
const location = (page: string | null = pageId) => ({
  url: 'https://docs.acme.com/start',
  siteSection: null,
  siteSpace: null,
  siteShareKey: null,
  page,
  space: guides,
  revision: null,
});
const view = (referrer?: string, page?: string | null) => ({
  type: 'page_view',
  session: session(referrer),
  location: location(page),
});
const searched = (query: string) => ({ type: 'search_type_query', session: session(), location: location(), query });
const track = (events: unknown[], client = anonymous) =>
  client.restAs('trackEventsInSiteById', 'POST', `${site.path}/insights/events`, { events }, { beyond: true });
const insights = async (query = '') => (await creator.get(`${site.path}/insights${query}`)).body;

test('counts events by day, page, referrer and search', async () => {
  const today = app.services.clock().toISOString().slice(0, 10);
  const first = [
    view('https://Search.example/?q=acme'),
    view('https://search.example/x'),
    view('', null),
    view('javascript:x', null),
  ];
  expect(
    (
      await track([
        ...first,
        searched('  How TO\n start '),
        { type: 'llms_request', session: session(), location: location(), llmsVariant: 'llms' },
      ])
    ).status,
  ).toBe(204);
  expect((await track([view(), searched('how to start'), searched('mail me at jane@acme.com')])).status).toBe(204);
  expect(await insights()).toMatchObject({
    object: 'site-insights',
    to: today,
    events: [
      { day: today, type: 'llms_request', total: 1 },
      { day: today, type: 'page_view', total: 5 },
      { day: today, type: 'search_type_query', total: 3 },
    ],
    pages: [{ page: pageId, total: 3 }],
    referrers: [{ host: 'search.example', total: 2 }],
    searches: [{ query: 'how to start', total: 2 }, { total: 1 }],
  });
  expect(JSON.stringify(await insights())).not.toContain('jane');
  const { rows } = await app.services.db
    .selectFrom('site_insight')
    .selectAll()
    .execute()
    .then((rows) => ({ rows }));
  expect(JSON.stringify(rows)).not.toMatch(/cookie|Browser|jane/);
});

test('the graph counts and reads too', async () => {
  const { site: seen } = await creator.mutate(
    'trackSiteEvents',
    {
      siteId: site.id,
      events: [{ type: 'PAGE_VIEW', pageId, referrer: 'https://news.example/' }, { type: 'SEARCH_OPEN' }],
    },
    'site { insights { from to events { type total } pages { pageId total } referrers { host total } searches { query } } }',
  );
  expect(seen.insights).toMatchObject({
    events: [
      { type: 'PAGE_VIEW', total: 1 },
      { type: 'SEARCH_OPEN', total: 1 },
    ],
    pages: [{ pageId, total: 1 }],
    referrers: [{ host: 'news.example', total: 1 }],
    searches: [],
  });
});

test('days are counted apart, and are removed after 400 days', async () => {
  await track([view()]);
  const before = app.services.clock().toISOString().slice(0, 10);
  advance(40 * 86_400_000);
  await track([view(), view()]);
  expect((await insights()).events).toMatchObject([{ total: 2 }]);
  expect((await insights(`?from=${before}`)).events).toMatchObject([{ day: before, total: 1 }, { total: 2 }]);
  expect((await insights(`?from=${before}&to=${before}`)).pages).toEqual([{ page: pageId, total: 1 }]);
  advance(370 * 86_400_000);
  const context = jobContext(app.services, 'remove');
  await removeOldInsights.run(context, {}, { signal: new AbortController().signal, retries: 0 });
  expect((await insights(`?from=${before}&to=${before}`)).events).toEqual([]);
});

test('values of a kind are bounded: further ones share a counter', async () => {
  const searches = Array.from({ length: 1_050 }, (_, index) => searched(`query ${index}`));
  for (let start = 0; start < searches.length; start += 100)
    expect((await track(searches.slice(start, start + 100))).status).toBe(204);
  await track([searched('query 0'), searched('query new')]);
  const rows = await app.services.db
    .selectFrom('site_insight')
    .where('siteId', '=', site.id)
    .where('kind', '=', 'search')
    .select(['value', 'total'])
    .execute();
  expect([
    rows.length,
    rows.find(({ value }) => value === '')?.total,
    rows.find(({ value }) => value === 'query 0')?.total,
  ]).toEqual([1_001, 51, 2]);
  expect((await insights()).searches).toHaveLength(100);
});

test('a site has a share in each minute', async () => {
  const full = Array.from({ length: 100 }, () => view());
  for (let index = 0; index < 61; index++) expect((await track(full)).status).toBe(204);
  const counted = async () => (await insights()).events[0].total;
  const inMinute = await counted();
  expect([6_000, 6_100]).toContain(inMinute);
  advance(60_000);
  await track([view()]);
  expect(await counted()).toBe(inMinute + 1);
});

test.each([
  ['events', { events: 'x' }],
  ['events', { events: Array.from({ length: 101 }, () => view()) }],
  ['events.0.type', { events: [{ ...view(), type: 'unknown' }] }],
  ['events.0', { events: [null] }],
  ['events.1.location.page', { events: [view(), view('', 'nonsense')] }],
  ['events.0.session.referrer', { events: [view('x'.repeat(5_000))] }],
])('refuses wrong %s', async (path, body) => {
  const answer = await anonymous.post(`${site.path}/insights/events`, body);
  expect([answer.status, answer.body.error.issues[0].path.join('.')]).toEqual([400, path]);
});

test('events on pages that are not of the site are refused, and nothing of the request is counted', async () => {
  const space = await spaceTitled(outsider, otherOrganizationId, 'Elsewhere');
  const foreign = (await outsider.get(`/v1/spaces/${space}/content/pages`)).body.pages[0].id;
  const besides = await spaceTitled(creator, organizationId, 'Not on the site');
  const unlisted = (await creator.get(`/v1/spaces/${besides}/content/pages`)).body.pages[0].id;
  for (const id of [foreign, unlisted, newId('page')]) {
    const { status, body } = await track([view(), view('', id)]);
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(`"${id}" is not a page of this site`)]);
  }
  expect((await insights()).events).toEqual([]);
});

test('events of a site come from those who can see it, and insights are for members with a role', async () => {
  expect((await reader.get(`${site.path}/insights`)).status).toBe(200);
  expect((await guest.get(`${site.path}/insights`)).status).toBe(403);
  expect((await anonymous.get(`${site.path}/insights`)).status).toBe(401);
  for (const wrong of [
    '?from=yesterday',
    '?from=2026-02-31',
    '?from=0000-01-01&to=0000-01-02',
    '?to=0000-03-01',
    // The first day by default would be in the year 0000.
    '?to=0001-01-01',
    '?from=2026-02-01&to=2026-01-01',
    '?from=2020-01-01&to=2026-01-01',
  ])
    expect([wrong, (await creator.get(`${site.path}/insights${wrong}`)).status]).toEqual([wrong, 400]);
  await creator.post(`${site.path}/unpublish`);
  expect((await track([view()])).status).toBe(401);
  expect((await outsider.post(`${site.path}/insights/events`, { events: [view()] })).status).toBe(404);
  expect(
    (await outsider.post(`/v1/orgs/${organizationId}/sites/${newId('site')}/insights/events`, { events: [] })).status,
  ).toBe(404);
  const data = await guest.graphql('query ($id: ID!) { site(id: $id) { id } }', { id: site.id });
  expect(data.site).toBeNull();
});
