import { expect, test } from 'vitest';
import { crawlScope, pageAddress, segmentsInScope } from '../../../src/lib/crawl/address.ts';
import { siteContents } from '../../../src/lib/crawl/site-contents.ts';
import { readSitemap } from '../../../src/lib/crawl/sitemap.ts';

const scope = { origin: 'https://a.example', prefix: '/docs/' };

test.each([
  ['https://a.example/docs/', '/docs/'],
  ['https://a.example/docs', '/docs/'],
  ['https://a.example/docs/index.html', '/docs/'],
  ['https://a.example', '/'],
])('a crawl that begins with %s reads what is below %s', (start, prefix) => {
  expect(crawlScope(start)).toEqual({ origin: 'https://a.example', prefix });
});

test.each([
  ['https://a.example/docs/x?tab=1#y', 'https://a.example/docs/x'],
  ['https://a.example/docs', 'https://a.example/docs'],
  ['https://a.example/blog', undefined],
  ['https://b.example/docs/x', undefined],
  ['http://a.example/docs/x', undefined],
  ['https://a.example/docs/manual.pdf', undefined],
  ['https://a.example/docs/a/b/a/b/a/b', undefined],
  [`https://a.example/docs/${'a/'.repeat(20)}`, undefined],
  [`https://a.example/docs/${'x'.repeat(3_000)}`, undefined],
  ['mailto:a@b.example', undefined],
])('the page of %s is %s', (link, address) => {
  expect(pageAddress(link, scope)).toBe(address);
});

test.each([
  ['https://a.example/docs/', []],
  ['https://a.example/docs/guide/index.html', ['guide']],
  ['https://a.example/docs/guide/one.html', ['guide', 'one']],
  ['https://a.example/docs/v1.2/a%20b', ['v1.2', 'a b']],
])('the place of %s is %j', (address, place) => {
  expect(segmentsInScope(address, scope)).toEqual(place);
});

test('nested URLs become nested pages, and a folder without a page has a title', () => {
  const pages = [
    { place: [], file: 'README.md' },
    { place: ['guide', 'one'], file: 'guide/one.md' },
    { place: ['api'], file: 'api.md' },
    { place: ['api', 'users'], file: 'api/users.md' },
  ];
  expect(siteContents(pages)).toMatchObject([
    { url: '/README.md' },
    { title: 'Guide', children: [{ url: '/guide/one.md' }] },
    { url: '/api.md', children: [{ url: '/api/users.md' }] },
  ]);
});

test('a sitemap names pages, or further sitemaps', () => {
  const pages =
    '<urlset><url><loc> https://a.example/?a=1&amp;b=2 </loc></url><url><loc><![CDATA[https://a.example/x]]></loc></url></urlset>';
  expect(readSitemap(pages)).toEqual({
    isIndex: false,
    addresses: ['https://a.example/?a=1&b=2', 'https://a.example/x'],
  });
  expect(
    readSitemap('<sitemapindex><sitemap><loc>https://a.example/s.xml</loc></sitemap></sitemapindex>').isIndex,
  ).toBe(true);
  expect(readSitemap('<!DOCTYPE x [<!ENTITY a "b">]><urlset><loc>&a;</loc></urlset>').addresses).toEqual(['&a;']);
});
