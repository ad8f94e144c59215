import { beforeAll, expect, test } from 'vitest';
import { translating } from '../sources/translations/arrange.ts';
import { world } from '../world.ts';
import { publishedSite, show } from './reader-world.ts';

const here = await world();
const { admin, organizationId } = here;
const { makeSpace, create, work } = translating(here);

let site: Awaited<ReturnType<typeof publishedSite>>;
let made: Awaited<ReturnType<typeof makeSpace>>;
let translatedId: string;
let url: string;
/** The segment of the translated space in the site. */
let segment: string;

beforeAll(async () => {
  made = await makeSpace({ Welcome: 'Hello.', Install: 'Run it.', Extra: 'More.' }, 'en');
  const translation = await create(made.spaceId);
  translatedId = translation.translatedId;
  await work(translation.translationId);
  const changes = [
    { updatePage: { pageId: made.pageIds.Install, slug: 'einrichten' } },
    { deletePage: { pageId: made.pageIds.Extra } },
  ];
  await admin.mutate('updateSpaceContent', { spaceId: translatedId, changes }, 'revision { id }');
  const other = await makeSpace({ Install: 'Another product.' });
  const spaces = [made.spaceId, translatedId, other.spaceId];
  site = await publishedSite(admin, organizationId, { title: 'Docs', spaces });
  const { body } = await admin.get(`${site.path}/site-spaces`);
  segment = body.items.find(({ space }: { space: { id: string } | string }) =>
    JSON.stringify(space).includes(translatedId),
  ).path;
  url = (await admin.get(site.path)).body.urls.published.replace(/\/$/, '');
});

const headOf = ({ text }: { text: string }) =>
  [...text.matchAll(/<link rel="alternate" hreflang="([^"]+)" href="([^"]+)">/g)].map(([, language, href]) => [
    language,
    href,
  ]);

test('a page names itself in all languages, whatever its path there, and the source for all others', async () => {
  const wanted = [
    ['en', `${url}/install`],
    ['de', `${url}/${segment}/einrichten`],
    ['x-default', `${url}/install`],
  ];
  expect(headOf(await show(site.at('install')))).toEqual(wanted);
  expect(headOf(await show(site.at(`${segment}/einrichten`))).toSorted()).toEqual(wanted.toSorted());
  expect(headOf(await show(site.at()))).toEqual([
    ['en', `${url}/`],
    ['de', `${url}/${segment}/`],
    ['x-default', `${url}/`],
  ]);
});

test('the menu of variants leads to the same page, or to the start of a language that lacks it', async () => {
  const link = (path: string) => `<a href="${site.base}/${path}" hreflang="de" lang="de"`;
  expect((await show(site.at('install'))).text).toContain(link(`${segment}/einrichten`));
  const extra = await show(site.at('extra'));
  expect(extra.text).toContain(link(`${segment}/`));
  expect(headOf(extra)).toEqual([]);
});

test('a language whose page the visitor does not see is like one that lacks the page', async () => {
  const change = (settings: object) =>
    admin.mutate(
      'updateSpaceContent',
      { spaceId: translatedId, changes: [{ updatePage: { pageId: made.pageIds.Install, ...settings } }] },
      'revision { id }',
    );
  await change({ condition: 'visitor.claims.beta == true' });
  const shown = await show(site.at('install'));
  expect(shown.status).toBe(200);
  expect(shown.text).not.toContain('einrichten');
  expect(headOf(shown)).toEqual([]);
  await change({ condition: null });
  expect(headOf(await show(site.at('install')))).toHaveLength(3);
});

test('a translated place has its language, in its content and its interface', async () => {
  const { text } = await show(site.at(`${segment}/einrichten`));
  expect(text).toContain('<html lang="de"');
  expect(text).toContain('Zum Inhalt');
  expect((await show(site.at('install'))).text).toContain('<html lang="en"');
});

test('sitemaps name the languages of their pages', async () => {
  const { text } = await show(site.at('sitemap-pages.xml'));
  expect(text).toContain('xmlns:xhtml="http://www.w3.org/1999/xhtml"');
  expect(text).toContain(`<xhtml:link rel="alternate" hreflang="de" href="${url}/${segment}/einrichten"/>`);
  expect(text.match(/hreflang="x-default"/g)).toHaveLength(2);
});

test('spaces that are no translations of each other are variants without a language', async () => {
  const { body } = await admin.get(`${site.path}/site-spaces`);
  const third = body.items[2].path;
  expect(headOf(await show(site.at(`${third}/install`)))).toEqual([]);
});

test('a deleted translation is no longer a language of the site', async () => {
  const { body } = await admin.get(`/v1/orgs/${organizationId}/translations`);
  expect(headOf(await show(site.at('install')))).toHaveLength(3);
  await admin.delete(`/v1/orgs/${organizationId}/translations/${body.items[0].id}`);
  expect(headOf(await show(site.at('install')))).toEqual([]);
});
