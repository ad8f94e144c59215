import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { world } from '../../world.ts';
import { importing, makeSite, PIXEL } from './arrange.ts';

const here = await world({ ALLOW_PRIVATE_NETWORK: '1' });
const { reader } = here;
const { importInto, markdownAt, newSpace, treeOf } = importing(here);

const page = (title: string, body: string, head = '') =>
  `<!doctype html><html><head><title>${title} | Acme</title><meta property="og:site_name" content="Acme">${head}</head>
   <body><nav><a href="/docs/">Docs</a> <a href="/docs/guide/install">Install</a> <a href="/blog">Blog</a></nav>
   <main><h1>${title}</h1>${body}</main><footer>Imprint</footer></body></html>`;

const SITE = {
  '/robots.txt': 'User-agent: *\nDisallow: /docs/secret\nSitemap: /nowhere.xml\n',
  '/sitemap.xml': '<urlset></urlset>',
  '/docs/': page(
    'Welcome',
    '<p>Read <a href="guide/install#linux">how to install</a> or <a href="https://example.com/">elsewhere</a>. <a href="/docs/secret">Secret</a></p><p><a href="?tab=2">Tab</a></p>',
    '<meta name="description" content="All of it.">',
  ),
  '/docs/guide/install': page(
    'Install',
    '<p>Run <code>npm start</code>.</p><h2 id="linux">On Linux</h2><p><img src="/img/p.png?v=1" alt="Pixel"> <img src="/img/gone.png"></p><p><a href="../old">Old</a> <a href="/docs/copy">Copy</a> <a href="missing">Missing</a> <a href="manual.pdf">PDF</a></p>',
  ),
  '/docs/guide/configure': page('Configure', '<p>All settings.</p>'),
  '/docs/copy': page('Install', '<p>Again</p>', '<link rel="canonical" href="/docs/guide/install">'),
  '/docs/secret': page('Secret', ''),
  '/img/p.png?v=1': PIXEL,
  '/blog': page('Blog', ''),
};

test('reads a site below an address: pages, places, links and images', async () => {
  const site = await makeSite({
    ...SITE,
    '/robots.txt': SITE['/robots.txt'].replace('/nowhere.xml', ''),
    '/sitemap.xml': `<urlset><url><loc>PLACE/docs/guide/configure</loc></url></urlset>`,
    '/docs/old': (_request, response) => void response.writeHead(302, { location: '/docs/guide/install' }).end(),
  });
  const spaceId = await newSpace();
  const { status, body } = await importInto(spaceId, `${site.url}/docs/`, 'website');
  expect([status, body.error?.message]).toEqual([201, undefined]);
  expect(await treeOf(spaceId)).toEqual(['Welcome', ['Guide', ['Install']]]);
  const { body: pages } = await reader.get(`/v1/spaces/${spaceId}/content/pages`);
  const [home, guide] = pages.pages;
  expect(home).toMatchObject({ description: 'All of it.' });
  const [install] = guide.pages;
  const start = await markdownAt(spaceId, home.path);
  expect(start).toContain(`${install.id}`);
  expect(start).toMatch(/#linux/);
  expect(start).toContain('(https://example.com/)');
  expect(start).not.toMatch(/Imprint|Blog/);
  const written = await markdownAt(spaceId, install.path);
  const { body: files } = await reader.get(`/v1/spaces/${spaceId}/content/files`);
  expect(files.items).toMatchObject([{ name: 'p.png', contentType: 'image/png' }]);
  expect(written).toContain(files.items[0].id);
  expect(written).toContain(`${site.url}/docs/guide/manual.pdf`);
  expect(written.split(install.id)).toHaveLength(3);
  const messages = body.report.map(({ file, message }: { file: string; message: string }) => `${file} ${message}`);
  expect(messages.join('\n')).toMatch(/secret[\s\S]*robots/);
  expect(messages.join('\n')).toMatch(/missing .*responded with status 404/);
  expect(messages.join('\n')).toMatch(/gone\.png/);
  expect(site.asked).not.toContain('/docs/secret');
  expect(site.asked).not.toContain('/blog');
  expect(site.asked.filter((path) => path === '/docs/guide/install')).toHaveLength(2);
});

test('orders pages by the largest navigation of the site, whatever order their links are in', async () => {
  const nav =
    '<nav><a href="/third">3</a> <a href="/part/b">B</a> <a href="/part/a">A</a> <a href="/first">1</a></nav>';
  const of = (title: string) => `<main><h1>${title}</h1><p>Text of ${title} with enough words to be found.</p></main>`;
  const site = await makeSite({
    '/': `${of('Start')}<a href="/first">1</a><a href="/lost">x</a><a href="/part/a">A</a>`,
    ...Object.fromEntries(['first', 'third', 'lost', 'part/a', 'part/b'].map((path) => [`/${path}`, nav + of(path)])),
  });
  const spaceId = await newSpace();
  expect((await importInto(spaceId, `${site.url}/`, 'website')).status).toBe(201);
  expect(await treeOf(spaceId)).toEqual(['Start', 'third', ['Part', ['part/b', 'part/a']], 'first', 'lost']);
});

test('respects robots.txt after redirects, and follows pages that name another canonical page', async () => {
  const toHome = '<link rel="canonical" href="/docs/">';
  const site = await makeSite({
    '/robots.txt': 'User-agent: *\nDisallow: /docs/private\n',
    '/docs/': page('Home', '<p><a href="/docs/moved">Moved</a> <a href="/docs/plan">Plan</a></p>', toHome),
    '/docs/moved': (_request, response) => void response.writeHead(302, { location: '/docs/private/x' }).end(),
    '/docs/private/x': page('Private', '<p>Not for robots.</p>'),
    '/docs/plan': page('Plan', '<p>Its own text. <a href="/docs/further">Further</a></p>', toHome),
    '/docs/further': page('Further', '<p>More text.</p>'),
  });
  const spaceId = await newSpace();
  const { status, body } = await importInto(spaceId, `${site.url}/docs/`, 'website');
  expect([status, await treeOf(spaceId)]).toEqual([201, ['Home', 'Further']]);
  const messages = body.report.map(({ file, message }: { file: string; message: string }) => `${file} ${message}`);
  expect(messages.join('\n')).toMatch(/moved .*robots\.txt does not allow/);
  expect(messages.join('\n')).toMatch(/plan .*canonical page/);
});

test('takes pages from sitemaps, and the site of its robots.txt as it is', async () => {
  const pages: Record<string, string> = { '/': page('Home', ''), '/hidden': page('Hidden', '') };
  const site = await makeSite(pages);
  pages['/sitemap.xml'] = `<urlset><url><loc>${site.url}/hidden</loc></url></urlset>`;
  const spaceId = await newSpace();
  expect((await importInto(spaceId, site.url, 'website')).status).toBe(201);
  expect(await treeOf(spaceId)).toEqual(['Home', 'Hidden']);
});

test('rejects a website that cannot be read, that disallows it, or that is not a website', async () => {
  const spaceId = await newSpace();
  const apiError = async (url: string) => {
    const { status, body } = await importInto(spaceId, url, 'website');
    expect(status).toBe(400);
    return body.error.message;
  };
  const closed = await makeSite({ '/robots.txt': 'User-agent: *\nDisallow: /', '/': page('A', '') });
  expect(await apiError(closed.url)).toMatch(/robots\.txt does not allow it/);
  const broken = await makeSite({ '/robots.txt': (_request, response) => void response.writeHead(500).end() });
  expect(await apiError(broken.url)).toMatch(/robots\.txt cannot be read/);
  expect(await apiError((await makeSite({})).url)).toMatch(/responded with status 404/);
  expect(await apiError('ftp://example.com/')).toMatch(/Not a valid website URL/);
  const loop = await makeSite({ '/': (_request, response) => void response.writeHead(302, { location: '/' }).end() });
  expect(await apiError(loop.url)).toMatch(/redirected more than 5 times/);
});

test('stays within bounds on endless, large and deep sites', async () => {
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    if (path === '/robots.txt') return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'text/html' });
    if (path === '/large') return void response.end('x'.repeat(5_000_000));
    if (path === '/deep') return void response.end('<div>'.repeat(100_000));
    if (path === '/drip') return void response.write('<p>');
    const links = ['/large', '/deep', `${path.length > 1 ? path : ''}/again`, '/one'].map(
      (to) => `<a href="${to}">x</a>`,
    );
    response.end(page(`Page ${path}`, `${links.join(' ')}<p>${path}</p>`));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => server.closeAllConnections() ?? server.close());
  const spaceId = await newSpace();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`; // it listens on a port
  const { status, body } = await importInto(spaceId, url, 'website');
  expect(status).toBe(201);
  const messages = body.report.map(({ file, message }: { file: string; message: string }) => `${file} ${message}`);
  expect(messages.join('\n')).toMatch(/large .*larger than/);
  expect(messages.join('\n')).toMatch(/deep .*nested more than/);
  expect(body.importedResources).toBeLessThan(30);
});
