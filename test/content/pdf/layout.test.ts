import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { fetchPdf } from './fetch-pdf.ts';
import { readPdf } from './read-pdf.ts';

const { app, url, creator, organizationId } = await world();
const { publicUrl } = app.services.config;

interface PageInput {
  title: string;
  markdown: string;
}

/** Prints a space with these pages. Returns the PDF as text in which only streams are compressed. */
async function printed(pages: PageInput[]): Promise<string> {
  const { space } = await creator.mutate(
    'createSpace',
    { organizationId, title: 'Guide', empty: true },
    'space { id }',
  );
  const changes = pages.map(({ title, markdown }) => ({ insertPage: { title, document: { markdown } } }));
  await creator.mutate('updateSpaceContent', { spaceId: space.id, changes }, 'space { id }');
  const { body } = await creator.get(`/v1/spaces/${space.id}/pdf`);
  const response = await fetchPdf(body.url.replace(publicUrl, url));
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer()).toString('latin1');
}

const fonts = (pdf: string) => [...new Set([...pdf.matchAll(/\/FontName \/[A-Z]+\+(\S+)/g)].map(([, name]) => name))];

test('Chinese, Japanese and Korean are printed without further fonts', async () => {
  const pdf = await printed([{ title: '資料庫', markdown: '快速开始、設定ファイル。\n\n시작 안내' }]);
  expect(fonts(pdf)).toEqual(expect.arrayContaining(['SourceHanSansCN-Regular', 'SourceHanSansKR-Regular']));
  expect(fonts(await printed([{ title: 'Latin', markdown: 'Only Latin.' }]))).not.toContain('SourceHanSansCN-Regular');
});

test('the cover and the contents come first, and each page begins on a new sheet in order', async () => {
  const pages = Array.from({ length: 50 }, (_, index) => ({ title: `Page ${index}`, markdown: `Text ${index}.` }));
  const pdf = await printed(pages);
  const kids = /\/Kids \[([^\]]*)\]/.exec(pdf);
  const order = (kids?.[1] ?? '').match(/\d+(?= 0 R)/g)?.map(Number) ?? [];
  // The sheets that are printed last, when all numbers are known, are the first ones.
  const front = order.length - pages.length;
  expect(front).toBeGreaterThanOrEqual(2);
  expect(Math.min(...order.slice(0, front))).toBeGreaterThan(Math.max(...order.slice(front)));
  expect(order.slice(front)).toEqual(order.slice(front).toSorted((a, b) => a - b));
});

test('headings are in the outline below their pages, and links lead to pages and headings', async () => {
  const pdf = await printed([
    { title: 'Start', markdown: 'See [below](#second-part).\n\n# First part\n\nText.\n\n# Second part\n\nText.' },
  ]);
  const outline = [...pdf.matchAll(/\/Title \(([^)]*)\)/g)].map(([, title]) => title);
  expect(outline).toEqual(expect.arrayContaining(['Start', 'First part', 'Second part']));
  expect(pdf).toMatch(/\/S \/GoTo\s*\/D \(page_[^)]*#second-part\)/);
});

const WORD = 'abcdefghij'.repeat(20);

test.each([
  ['a paragraph', WORD],
  ['code', `\`\`\`\n${WORD}\n\`\`\``],
  ['colored code', `\`\`\`yaml\nkey: ${WORD}\n\`\`\``],
  ['a hint', `{% hint style="info" %}\n${WORD}\n{% endhint %}`],
  ['a quotation', `> ${WORD}`],
  ['a tab', `{% tabs %}\n{% tab title="A" %}\n${WORD}\n{% endtab %}\n{% endtabs %}`],
  ['a table', `| a | b |\n|---|---|\n| ${WORD} | c |`],
  ['a list', `- ${WORD}`],
  ['a task', `- [ ] ${WORD}`],
  ['an embed', `{% embed url="https://example.com/${WORD}" %}`],
])(
  'a word that is longer than a line is broken in %s, so that nothing is beyond the sheet',
  async (_where, markdown) => {
    const { pieces } = readPdf(Buffer.from(await printed([{ title: 'Words', markdown }]), 'latin1'));
    expect(pieces.join('')).toContain(WORD);
    // A sheet has 467 points between its margins, and no font has narrower letters than four points.
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(120);
  },
);
