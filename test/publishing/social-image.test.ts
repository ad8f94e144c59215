import { decode } from 'fast-png';
import { expect, test } from 'vitest';
import { fontFilesWith } from '../../src/domain/content/pdf/font-files.ts';
import { work } from '../../src/domain/publishing/reader/social-image-work.ts';

const { text, wide } = fontFilesWith([]);

const WHITE = 255;

async function draw(texts: { title: string; description?: string; siteTitle?: string }) {
  const colors = { background: '#ffffff', ink: '#000000', accent: '#ff0000' };
  const fonts = [text.files.bold, wide.files.bold];
  const png = await work({ description: '', siteTitle: '', ...texts, ...colors, fonts });
  const { width, height, data, channels } = decode(Buffer.from(png, 'base64'));
  const isInked = (column: number, row: number) => data[(row * width + column) * channels] !== WHITE;
  // Right of the bar on the left side.
  const columns = Array.from({ length: width }, (_, column) => column).slice(16);
  const rows = Array.from({ length: height }, (_, row) => row);
  return {
    columns: columns.filter((column) => rows.some((row) => isInked(column, row))),
    rows: rows.filter((row) => columns.some((column) => isInked(column, row))),
  };
}

/** Returns the first and the last column with ink. */
async function inked(title: string): Promise<[number, number]> {
  const { columns } = await draw({ title });
  return [columns.at(0) ?? 0, columns.at(-1) ?? 0];
}

test('the title in the image of a page begins on the side of its direction', async () => {
  const [left] = await inked('Guide (UI)');
  expect(left).toBeLessThan(100);
  const [first, last] = await inked('שלום (UI)');
  expect(first).toBeGreaterThan(600);
  expect(last).toBeGreaterThan(1_100);
});

test('Arabic letters join', async () => {
  const [joined, end] = await inked('مممم');
  const [apart, endApart] = await inked('م\u200cم\u200cم\u200cم');
  expect(end - joined).toBeLessThan(endApart - apart);
});

test('each line of a text from right to left begins on the right', async () => {
  const [first] = await inked(`${'שלום '.repeat(9)}123456789`);
  const [whole] = await inked('שלום '.repeat(9));
  expect(first).toBe(whole);
});

test('a long description stays above the title of the site', async () => {
  const { rows } = await draw({
    title: 'Title of four lines '.repeat(9),
    description: 'Description of three lines '.repeat(11),
    siteTitle: 'Site',
  });
  expect(rows).toEqual(expect.arrayContaining([500, 565]));
  expect(rows.filter((row) => row > 525 && row < 540)).toEqual([]);
});
