import { beforeAll, expect, test } from 'vitest';
import { world } from '../world.ts';
import { publishedSite, show, spaceOfLongPages, spaceWith } from './reader-world.ts';

const { admin, organizationId } = await world();

let site: Awaited<ReturnType<typeof publishedSite>>;
let space: Awaited<ReturnType<typeof spaceWith>>;

beforeAll(async () => {
  const many = Array.from({ length: 101 }, (_, index) => ({
    title: `Page ${index}`,
    document: { markdown: `Text ${index}.` },
  }));
  space = await spaceWith(admin, organizationId, 'Guides', [
    { title: 'Welcome & more', description: 'Begin here.', document: { markdown: 'Hello **you**.' } },
    { title: 'Buffers', document: { markdown: '## Chunks\n\nA buffer has chunks <b>.' } },
    { title: 'Secret', hidden: true, document: { markdown: 'Nobody lists me.' } },
    { title: 'Unindexed', noRobotsIndex: true, document: { markdown: 'No robots.' } },
    ...many,
  ]);
  site = await publishedSite(admin, organizationId, { title: 'Acme Docs', spaces: [space.spaceId] });
});

test('the sitemap is an index of places, whose pages have the time of their last change', async () => {
  const index = await show(site.at('sitemap.xml'));
  expect(index.headers.get('content-type')).toBe('application/xml; charset=utf-8');
  expect(index.text).toMatch(/<loc>http[^<]*\/acme-docs\/sitemap-pages.xml<\/loc>/);
  const pages = await show(site.at('sitemap-pages.xml'));
  expect(pages.text).toMatch(/<loc>http[^<]*\/acme-docs\/buffers<\/loc><lastmod>\d{4}-\d\d-\d\dT/);
  expect(pages.text.match(/<url>/g)).toHaveLength(103);
  expect(pages.text).not.toMatch(/secret|unindexed/);
});

test('robots.txt says how the content may be used', async () => {
  const { text } = await show(site.at('robots.txt'));
  expect(text).toContain('Content-Signal: search=yes, ai-input=yes, ai-train=yes\n');
  expect(text).toMatch(/^Sitemap: http\S*\/acme-docs\/sitemap\.xml$/m);
});

test('llms.txt lists pages as Markdown, and is the same as sitemap.md', async () => {
  const { headers, text } = await show(site.at('llms.txt'));
  expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  expect(text).toMatch(
    /^# Acme Docs\n\n## Guides\n\n- \[Welcome & more\]\(http\S*\/welcome-more\.md\): Begin here\.\n/,
  );
  expect(text).not.toContain('Secret');
  expect((await show(site.at('sitemap.md'))).text).toBe(text);
});

test('llms-full.txt has parts of 100 pages, hidden ones too', async () => {
  const first = await show(site.at('llms-full.txt'));
  expect(first.text).toMatch(
    /^# Welcome & more\n\nSource: http\S*\/welcome-more\n\nBegin here\.\n\nHello \*\*you\*\*\./,
  );
  expect(first.text.match(/^Source: /gm)).toHaveLength(100);
  expect(first.text).toContain('Nobody lists me.');
  expect(first.text).toMatch(/Next pages: http\S*\/llms-full\.txt\/2\n$/);
  const second = await show(site.at('llms-full.txt/2'));
  expect(second.text.match(/^Source: /gm)).toHaveLength(5);
  expect(second.text).not.toContain('Next pages');
  expect((await show(site.at('llms-full.txt/3'))).status).toBe(404);
  expect((await show(site.at('llms-full.txt/0'))).status).toBe(404);
});

test('a long part of llms-full.txt is cut between pages, and ends with the address of its rest', async () => {
  const spaceId = await spaceOfLongPages(admin, organizationId, 45);
  const long = await publishedSite(admin, organizationId, { title: 'Long', spaces: [spaceId] });
  const titles: string[] = [];
  const parts: string[] = [];
  for (let part: string | undefined = 'llms-full.txt'; part !== undefined; ) {
    const { status, text } = await show(long.at(part));
    expect([part, status]).toEqual([part, 200]);
    expect(Buffer.byteLength(text)).toBeLessThan(4_001_000);
    parts.push(part);
    titles.push(...[...text.matchAll(/^# (.*)$/gm)].map(([, title = '']) => title));
    part = /^Next pages: \S*\/(llms-full\.txt\S*)\n$/m.exec(text.slice(-1_000))?.[1];
  }
  expect(titles).toEqual(Array.from({ length: 45 }, (_, index) => `Page ${index}`));
  expect(parts).toEqual(['llms-full.txt', 'llms-full.txt/1/22', 'llms-full.txt/1/43']);
  const absent = [
    'llms-full.txt/1/46',
    'llms-full.txt/1/101',
    'llms-full.txt/1/0',
    'llms-full.txt/2/1',
    'llms-full.txt/1/1/1',
  ];
  for (const path of absent) expect([path, (await show(long.at(path))).status]).toEqual([path, 404]);
});

test('pages are Markdown by their extension or the header Accept', async () => {
  const byName = await show(site.at('buffers.md'));
  expect(byName.text).toMatch(/^# Buffers\n\n## Chunks\n/);
  const byHeader = await show(site.at('buffers'), { accept: 'text/markdown' });
  expect([byHeader.headers.get('content-type'), byHeader.text]).toEqual(['text/markdown; charset=utf-8', byName.text]);
  expect(byHeader.headers.get('vary')).toContain('Accept');
  const browser = await show(site.at('buffers'), { accept: 'text/html,text/markdown;q=0.9' });
  expect(browser.headers.get('content-type')).toContain('text/html');
});

test('agents that ask for an unknown page get suggestions', async () => {
  const { status, text } = await show(site.at('old/buffers-guide.md'));
  expect(status).toBe(200);
  expect(text).toContain('# Page not found');
  const found = await show(site.at('buffers/chunks'), { accept: 'text/markdown' });
  expect(found.text).toMatch(/- \[Buffers\]\(http\S*\/buffers\.md\)/);
  // Kept by their words, which other paths have too.
  expect((await show(site.at('buffers-chunks.md'))).text).toBe(found.text);
});

test('sites that exclude agents have nothing for them', async () => {
  await admin.patch(site.path, { agentsContext: 'excluded' });
  const paths = ['llms.txt', '.well-known/llms.txt', 'llms-full.txt', 'sitemap.md', 'buffers.md'];
  const statuses = await Promise.all(paths.map(async (path) => (await show(site.at(path))).status));
  expect(statuses).toEqual(paths.map(() => 404));
  const page = await show(site.at('buffers'), { accept: 'text/markdown' });
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(page.text).not.toContain('.md"');
  expect((await show(site.at('robots.txt'))).text).toContain('ai-input=no, ai-train=no');
  await admin.patch(site.path, { agentsContext: 'included' });
});

test('the feed of a page has an item for each of its changes', async () => {
  const [, buffers] = space.pageIds;
  const change = { updatePage: { pageId: buffers, document: { markdown: 'A buffer has more chunks.' } } };
  const other = { updatePage: { pageId: space.pageIds[0], document: { markdown: 'Hello again.' } } };
  for (const changes of [[change], [other]])
    await admin.mutate('updateSpaceContent', { spaceId: space.spaceId, changes }, 'pageIds');
  const { headers, text } = await show(site.at('buffers/rss.xml'));
  expect(headers.get('content-type')).toBe('application/rss+xml; charset=utf-8');
  expect(text.match(/<item>/g)).toHaveLength(2);
  expect(text).toContain('<title>Buffers | Acme Docs</title>');
  expect((await show(site.at('nothing/rss.xml'))).status).toBe(404);
});

test('the feed of a page reaches back over moves, to where the page was added', async () => {
  const { spaceId, pageIds } = await spaceWith(admin, organizationId, 'Moving', [
    { title: 'Home' },
    { title: 'Folder' },
  ]);
  const moving = await publishedSite(admin, organizationId, { title: 'Moving', spaces: [spaceId] });
  const edit = async (change: Record<string, unknown>): Promise<string[]> =>
    (await admin.mutate('updateSpaceContent', { spaceId, changes: [change] }, 'pageIds')).pageIds;
  const [pageId] = await edit({ insertPage: { title: 'Traveler', document: { markdown: 'One.' } } });
  await edit({ updatePage: { pageId, document: { markdown: 'Two.' } } });
  await edit({ movePage: { pageId, parentId: pageIds[1] } });
  await edit({ updatePage: { pageId, document: { markdown: 'Three.' } } });
  const { text } = await show(moving.at('folder/traveler/rss.xml'));
  expect(text.match(/<item>/g)).toHaveLength(3);
});

test('an image for a renderer is the original file of the organization, and nothing else', async () => {
  const { body } = await admin.post(`/v1/spaces/${space.spaceId}/content`, {
    changes: [{ operation: 'insert_files', files: [{ name: 'dot .svg', base64: btoa('<svg/>') }] }],
  });
  expect(body.error).toBe(undefined);
  const [file] = (await admin.get(`/v1/spaces/${space.spaceId}/content/files`)).body.items;
  const image = (url: string) =>
    show(site.at(`~gitbook/image?url=${encodeURIComponent(url)}&width=640&dpr=2&quality=75`));
  const { status, headers } = await image(file.downloadURL);
  expect([status, headers.get('location'), headers.get('cache-control')]).toEqual([
    307,
    file.downloadURL,
    'public, max-age=3600',
  ]);
  const forged = file.downloadURL.replace(/\/files\/[^/]+/, '/files/org_of_others');
  for (const url of [forged, `${file.downloadURL}x`, 'https://example.com/cat.png', 'file:///etc/passwd', '']) {
    expect([url, (await image(url)).status]).toEqual([url, 404]);
  }
});

test('searches the spaces of the site only, and escapes the query', async () => {
  const other = await spaceWith(admin, organizationId, 'Internal', [
    { title: 'Internal buffers', document: { markdown: 'A buffer of ours.' } },
  ]);
  await publishedSite(admin, organizationId, { title: 'Internal site', spaces: [other.spaceId] });
  const { text, headers } = await show(site.at('~gitbook/search?q=buffer'));
  expect(text).toContain(`<h2><a href="${site.base}/buffers">Buffers</a></h2>`);
  expect(text).toContain('<mark>buffer</mark>');
  expect(text).not.toContain('Internal buffers');
  expect(headers.get('cache-control')).toBe('private, no-store');
  const none = await show(site.at(`~gitbook/search?q=${encodeURIComponent('"><b>zzz')}`));
  expect(none.text).toContain('<p role="status">No results</p>');
  expect(none.text).not.toContain('"><b>zzz');
});

test('leads to a PDF of the space or a page', async () => {
  const [, buffers] = space.pageIds;
  const { status, headers } = await show(site.at(`~gitbook/pdf?page=${buffers}&only=yes`));
  const location = new URL(headers.get('location') ?? '');
  expect([status, location.searchParams.get('page'), location.searchParams.get('only')]).toEqual([
    307,
    buffers,
    'true',
  ]);
  expect((await show(site.at('~gitbook/pdf?page=page_absent'))).status).toBe(404);
  await admin.put(`${site.path}/customization`, { pdf: { enabled: false } });
  expect((await show(site.at('~gitbook/pdf'))).status).toBe(404);
});
