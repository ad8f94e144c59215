import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { fetchPdf } from './fetch-pdf.ts';
import { readPdf } from './read-pdf.ts';

const { app, url, creator, organizationId } = await world();

/** The text of a PDF of a space in a language, as it is seen from left to right. */
async function printed(language: string | undefined, ...pages: [title: string, markdown: string][]): Promise<string> {
  const { space } = await creator.mutate(
    'createSpace',
    { organizationId, title: 'ספר', empty: true, ...(language !== undefined && { language }) },
    'space { id }',
  );
  const changes = pages.map(([title, markdown]) => ({ insertPage: { title, document: { markdown } } }));
  await creator.mutate('updateSpaceContent', { spaceId: space.id, changes }, 'space { id }');
  const { body } = await creator.get(`/v1/spaces/${space.id}/pdf`);
  const response = await fetchPdf(body.url.replace(app.services.config.publicUrl, url));
  expect(response.status).toBe(200);
  return readPdf(Buffer.from(await response.arrayBuffer())).text;
}

test('a book in Hebrew is laid out from right to left: titles, text, lists, tables and the contents', async () => {
  const text = await printed(
    'HE',
    [
      'תיאור הממשק (UI)',
      'ראו גרסה 2.10.3 של Stemma, כאן.\n\n1. אחד\n2. שתיים `f(x)` כאן\n\n| שם | ערך |\n|---|---|\n| פורט | 8080 |',
    ],
    ['סוף', 'API הוא קיצור.'],
  );
  for (const line of [
    '(UI) קשממה רואית',
    '.ןאכ ,Stemma לש 2.10.3 הסרג ואר',
    'דחא.1',
    'ןאכ f(x) םייתש.2',
    'ךרעםש',
    '8080טרופ',
    'םיניינעה ןכות',
    '3(UI) קשממה רואית',
    '.רוציק אוה API',
  ])
    expect(text).toContain(line);
});

test('code keeps its lines from left to right within a book from right to left', async () => {
  const text = await printed('HE', ['קוד', '```js\nconst a = "שלום"; // הערה כאן\n```']);
  expect(text).toContain('const a = "םולש"; // ןאכ הרעה');
});

test('paragraphs of a space without a language follow their first letters', async () => {
  const text = await printed(undefined, ['Start', 'Say שלום לך to all.\n\nשלום ל־Stemma.\n\n- פריט ראשון']);
  expect(text).toContain('Say ךל םולש to all.');
  expect(text).toContain('.Stemma־ל םולש');
  expect(text).toContain('ןושאר טירפ•');
});

test('Arabic and Persian letters join, and their words and digits are in order', async () => {
  // Joined forms have glyphs of their own, which stand for the letters.
  expect(await printed('AR', ['وصف', 'دليل (UI) رقم ٤٥٦ هنا'])).toContain('انه ٤٥٦ مقر (UI) ليلد');
  expect(await printed(undefined, ['شرح', 'نسخه ۱۲۳ و 5678 است'])).toContain('تسا 5678 و ۱۲۳ هخسن');
});
