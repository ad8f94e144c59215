import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { fetchPdf } from './fetch-pdf.ts';
import { readPdf } from './read-pdf.ts';

const { app, url, creator, organizationId } = await world();
const { publicUrl } = app.services.config;

interface PageInput {
  title: string;
  markdown?: string;
  ref?: string;
  parentId?: string;
  icon?: string;
  emoji?: string;
}

/** The URL of a PDF of a space with these pages. */
async function pdfOf(pages: PageInput[], language?: string): Promise<string> {
  const { space } = await creator.mutate(
    'createSpace',
    { organizationId, title: 'Guide', empty: true, ...(language !== undefined && { language }) },
    'space { id }',
  );
  const changes = pages.map(({ markdown, ...page }) => ({
    insertPage: { ...page, ...(markdown !== undefined && { document: { markdown } }) },
  }));
  await creator.mutate('updateSpaceContent', { spaceId: space.id, changes }, 'space { id }');
  const { body } = await creator.get(`/v1/spaces/${space.id}/pdf`);
  return body.url.replace(publicUrl, url);
}

async function printed(pages: PageInput[]) {
  const response = await fetchPdf(await pdfOf(pages));
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

const fontsOf = (pdf: Buffer) =>
  [...pdf.toString('latin1').matchAll(/\/FontName \/[A-Z]+\+(\S+)/g)].map(([, name]) => name);

test('the outline follows the page tree, and a group lists the pages below it', async () => {
  const pdf = readPdf(
    await printed([
      { title: 'Guides', ref: 'guides' },
      { title: 'Install', ref: 'install', parentId: 'guides', markdown: '# On Linux\n\nRun it.' },
      { title: 'Upgrade', parentId: 'install', markdown: 'Read the notes.' },
    ]),
  );
  expect(pdf.outline).toEqual([
    ['Guides'],
    ['Guides', 'Install'],
    ['Guides', 'Install', 'On Linux'],
    ['Guides', 'Install', 'Upgrade'],
  ]);
  const sheets = pdf.text.split('\n');
  expect(sheets[2]).toContain('Guides');
  expect(sheets[2]).toContain('Install');
  expect(sheets[2]).not.toContain('Upgrade');
});

test('every link within the PDF has its destination', async () => {
  const pdf = readPdf(
    await printed([
      { title: 'Start', markdown: 'See [below](#part).\n\n# Part\n\nText.' },
      { title: 'Last', markdown: '# End\n\nText.' },
    ]),
  );
  expect(pdf.links.length).toBeGreaterThanOrEqual(3);
  expect(pdf.links.some((name) => name.endsWith('#part'))).toBe(true);
  expect(pdf.links.filter((name) => !pdf.destinations.has(name))).toEqual([]);
});

test('icons of pages, hints, buttons, tabs and lines are drawn, and so are emoji', async () => {
  const markdown = [
    'An icon <i class="fa-gear">:gear:</i> and <i class="fa-github">:github:</i>, and 🚀.',
    '<a href="https://example.com" class="button primary" data-icon="book">Docs</a>',
    '{% hint style="info" %}\nMind this.\n{% endhint %}',
    '{% hint style="danger" icon="bomb" %}\nMind that.\n{% endhint %}',
    '{% tabs %}\n{% tab title="One" icon="bolt" %}\nText.\n{% endtab %}\n{% endtabs %}',
  ].join('\n\n');
  const bytes = await printed([{ title: 'Icons', icon: 'rocket', markdown }]);
  expect(fontsOf(bytes)).toEqual(
    expect.arrayContaining([expect.stringMatching(/Solid/), expect.stringMatching(/Brands/)]),
  );
  const { text } = readPdf(bytes);
  const glyphs = { rocket: '\uf135', gear: '\uf013', github: '\uf09b', book: '\uf02d', bomb: '\uf1e2', bolt: '\uf0e7' };
  for (const [name, glyph] of Object.entries(glyphs)) expect(text, name).toContain(glyph);
  expect(text).toContain('\uf05a'); // circle-info, of the hint without an icon of its own
  expect(text).toContain('🚀');
});

test('every kind of block is printed with its text', async () => {
  const markdown = [
    '> Quoted words',
    '* item\n  * nested',
    '1. numbered',
    '- [x] done',
    '***',
    '{% code title="app.ts" %}\n```ts\nconst answer = 42;\n```\n{% endcode %}',
    '{% stepper %}\n{% step %}\n## Step title\n\nDo it.\n{% endstep %}\n{% endstepper %}',
    '<details>\n\n<summary>Expandable title</summary>\n\nHidden words.\n\n</details>',
    '| Head | Second |\n|---|---|\n| Cell | Other |',
    '{% columns %}\n{% column %}\nLeft words\n{% endcolumn %}\n{% column %}\nRight words\n{% endcolumn %}\n{% endcolumns %}',
    '{% embed url="https://example.com/video" %}',
    '$$\nE = mc^2\n$$',
    'Japanese 設定ファイル and Korean 안내',
  ].join('\n\n');
  const { text } = readPdf(await printed([{ title: 'Blocks', markdown }]));
  const words =
    'Quoted words|nested|numbered|☑|app.ts|const answer = 42;|Step title|❶|Expandable title|Hidden words.|Head|Other|' +
    'Left words|Right words|https://example.com/video|E = mc2|設定ファイル|안내';
  for (const each of words.split('|')) expect(text).toContain(each);
});

test('a PDF is read in ranges, as viewers do', async () => {
  const address = await pdfOf([{ title: 'Page', markdown: 'Text.' }]);
  const whole = Buffer.from(await (await fetchPdf(address)).arrayBuffer());
  const part = await fetchPdf(address, { headers: { range: 'bytes=10-19' } });
  expect(part.status).toBe(206);
  expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(10, 20));
});

test('the table of contents has a title in the language of the space', async () => {
  const address = await pdfOf([{ title: 'A', markdown: 'Text.' }, { title: 'B' }], 'DE');
  const { text } = readPdf(Buffer.from(await (await fetchPdf(address)).arrayBuffer()));
  expect(text).toContain('Inhalt');
});

test('a reusable content that a page shows twice is printed twice, and links lead to headings by any anchor', async () => {
  const { space } = await creator.mutate(
    'createSpace',
    { organizationId, title: 'Twice', empty: true },
    'space { id }',
  );
  const shared = '## Shared & more\n\nSaid again.';
  const markdown =
    '{% include "reusable:shared" %}\n\n[there](#own--other)\n\n## Own & other\n\n{% include "reusable:shared" %}';
  const changes = [
    { insertReusableContent: { title: 'Shared', ref: 'shared', document: { markdown: shared } } },
    { insertPage: { title: 'Page', document: { markdown } } },
  ];
  await creator.mutate('updateSpaceContent', { spaceId: space.id, changes }, 'space { id }');
  const { body } = await creator.get(`/v1/spaces/${space.id}/pdf`);
  const response = await fetchPdf(body.url.replace(publicUrl, url));
  expect(response.status).toBe(200);
  const pdf = readPdf(Buffer.from(await response.arrayBuffer()));
  expect(pdf.text.match(/Said again/g)).toHaveLength(2);
  expect(pdf.outline.filter(([, title]) => title === 'Shared & more')).toHaveLength(2);
});
