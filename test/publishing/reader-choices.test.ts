import { beforeAll, expect, test, vi } from 'vitest';
import { writeVisits } from '../../src/domain/publishing/insights/index.ts';
import { WorkExceeded } from '../../src/platform/heavy-work/work-exceeded.ts';
import { world } from '../world.ts';
import { publishedSite, show, spaceWith } from './reader-world.ts';

const { app, admin, organizationId } = await world();

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

let site: Awaited<ReturnType<typeof publishedSite>>;
let pageIds: string[] = [];

beforeAll(async () => {
  const space = await spaceWith(admin, organizationId, 'Guides', [
    { title: 'Welcome', document: { markdown: 'Hello.' } },
    { title: 'Setup', document: { markdown: 'Install the quokka.' } },
  ]);
  pageIds = space.pageIds;
  site = await publishedSite(admin, organizationId, { title: 'Acme Docs', spaces: [space.spaceId] });
});

test('remembers the color mode that visitors choose, without scripts', async () => {
  const first = await show(site.at('setup'));
  expect(first.text).toContain('data-mode="auto"');
  expect(first.text).toContain('<a href="?mode=dark" rel="nofollow">Dark</a>');
  const chosen = await show(site.at('setup?mode=dark&x=1'));
  expect([chosen.status, chosen.headers.get('location')]).toEqual([303, `${site.base}/setup?x=1`]);
  const [cookie = ''] = chosen.headers.getSetCookie();
  expect(cookie).toBe(`stemma-mode=dark; Max-Age=31536000; Path=${site.base}; HttpOnly; SameSite=Lax`);
  const dark = await show(site.at('setup'), { cookie: 'other=1; stemma-mode=dark' });
  expect(dark.text).toContain('data-mode="dark"');
  expect(dark.headers.get('cache-control')).toMatch(/^private/);
  expect(dark.headers.get('content-security-policy')).not.toContain('allow-same-origin');
  expect((await show(site.at('setup'))).text).toContain('data-mode="auto"');
  const [removed = ''] = (await show(site.at('setup?mode=system'))).headers.getSetCookie();
  expect(removed).toContain('Max-Age=0');
  const search = await show(site.at('~gitbook/search?q=a%26b'));
  expect(search.text).toContain('<a href="?q=a%26b&amp;mode=light"');
  expect((await show(site.at('setup?mode=purple'))).status).toBe(200);
});

test('offers no choice where the appearance fixes the mode', async () => {
  const { body } = await admin.get(`${site.path}/customization`);
  await admin.put(`${site.path}/customization`, { ...body, themes: { default: 'dark', toggeable: false } });
  const page = await show(site.at('setup'), { cookie: 'stemma-mode=light' });
  expect(page.text).toContain('data-mode="dark"');
  expect(page.text).not.toContain('?mode=');
  await admin.put(`${site.path}/customization`, body);
});

test('counts what people view and search, and no programs', async () => {
  const person = { 'user-agent': FIREFOX, referer: 'https://search.example/?q=secret' };
  await show(site.at('setup'), person);
  await show(site.at('setup'), { 'user-agent': FIREFOX, referer: site.at() });
  await show(site.at('~gitbook/search?q=Quokka%20me@acme.com'), person);
  await show(site.at('~gitbook/search?q=zero%00s'), person);
  const others: Record<string, string>[] = [
    { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
    { 'user-agent': 'curl/8.5.0' },
    { 'user-agent': '' },
    { 'user-agent': FIREFOX, 'sec-purpose': 'prefetch;prerender' },
  ];
  for (const headers of others) await show(site.at('setup'), headers);
  await show(site.at('absent'), person);
  await show(site.at('setup.md'), person);
  await writeVisits(app.services);
  const { body } = await admin.get(`${site.path}/insights`);
  const totals = body.events.map(({ type, total }: { type: string; total: number }) => [type, total]);
  expect(Object.fromEntries(totals)).toEqual({ page_view: 2, search_type_query: 2 });
  expect(body.pages).toEqual([{ page: pageIds[1], total: 2 }]);
  expect(body.referrers).toEqual([{ host: 'search.example', total: 1 }]);
  expect(body.searches).toEqual([
    { query: 'quokka [email]', total: 1 },
    { query: 'zeros', total: 1 },
  ]);
  const { headers } = await show(site.at('setup'), person);
  expect(headers.getSetCookie()).toEqual([]);
});

test('draws an image of each page for other websites', async () => {
  const { text } = await show(site.at('setup'));
  const [, address = ''] = /<meta property="og:image" content="([^"]*)"/.exec(text) ?? [];
  expect(new URL(address).pathname).toBe(`${site.base}/~gitbook/ogimage/${pageIds[1]}`);
  const response = await fetch(site.at(`~gitbook/ogimage/${pageIds[1]}`));
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
  const image = Buffer.from(await response.arrayBuffer());
  expect([image.subarray(1, 4).toString(), image.readUInt32BE(16), image.readUInt32BE(20)]).toEqual(['PNG', 1200, 630]);
  expect((await fetch(site.at('~gitbook/ogimage/page_absent'))).status).toBe(404);
});

test('says that an image cannot be drawn at the moment if that takes too long', async () => {
  vi.spyOn(app.services.heavyWork, 'inWorker').mockRejectedValueOnce(WorkExceeded.time(8_000));
  const response = await fetch(site.at(`~gitbook/ogimage/${pageIds[0]}`));
  expect([response.status, (await response.json()).error.message]).toEqual([
    503,
    'The image cannot be drawn at the moment: it took longer than 8 seconds.',
  ]);
});
