import { expect, test } from 'vitest';
import { world } from '../world.ts';
import { publishedSite, show, spaceWith } from './reader-world.ts';

const { admin, organizationId } = await world();

/** A site of one space in a language. */
async function siteIn(language: string | undefined, pages: { title: string; markdown: string }[]) {
  const { spaceId } = await spaceWith(
    admin,
    organizationId,
    pages[0]?.title ?? '',
    pages.map(({ title, markdown }) => ({ title, document: { markdown } })),
  );
  if (language !== undefined) await admin.mutate('updateSpace', { spaceId, language }, 'space { id }');
  return publishedSite(admin, organizationId, { title: 'Docs', spaces: [spaceId] });
}

const HEBREW = [
  { title: 'ברוכים הבאים', markdown: 'שלום ל־API.\n\n## English only\n\nText.' },
  { title: 'Setup', markdown: 'כאן.' },
];

test('every page of a space in Hebrew is in Hebrew from right to left, and the words of the interface are not', async () => {
  const site = await siteIn('HE', HEBREW);
  for (const path of ['', 'setup', 'no/such/page', '~gitbook/search?q=API']) {
    const { text } = await show(site.at(path));
    expect(text, path).toContain('<html lang="he" dir="rtl"');
    expect(text, path).toContain('<a class="skip" href="#content" lang="en" dir="ltr">');
  }
  const { text } = await show(site.at());
  expect(text).toContain('<p>שלום ל־API.</p>');
  expect(text).toMatch(/<h2 id="english-only[^"]*" dir="ltr">/);
  expect((await show(site.at('setup'))).text).toContain('<h1 dir="ltr">Setup</h1>');
});

test('pages have the language of their space as soon as it changes', async () => {
  const { spaceId } = await spaceWith(admin, organizationId, 'Changing', [{ title: 'Start' }]);
  const site = await publishedSite(admin, organizationId, { title: 'Changing', spaces: [spaceId] });
  expect((await show(site.at())).text).not.toContain('<html lang="he"');
  await admin.mutate('updateSpace', { spaceId, language: 'HE' }, 'space { id }');
  expect((await show(site.at())).text).toContain('<html lang="he" dir="rtl"');
});

test('a space without a language has the direction of most of its titles', async () => {
  const persian = [
    { title: 'شروع', markdown: 'سلام.' },
    { title: 'نصب', markdown: 'گام یکم.' },
    { title: 'API', markdown: 'متن.' },
  ];
  expect((await show((await siteIn(undefined, persian)).at('api'))).text).toContain('<html lang="en" dir="rtl"');
  const english = [
    { title: 'Start', markdown: 'Text.\n\nשלום.' },
    { title: 'שלום', markdown: 'Text.' },
  ];
  const { text } = await show((await siteIn(undefined, english)).at());
  expect(text).toMatch(/<html lang="en" data-mode/);
  expect(text).toContain('<p dir="rtl">שלום.</p>');
});
