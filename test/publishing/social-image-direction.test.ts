import { decode } from 'fast-png';
import { expect, test } from 'vitest';
import { fontFilesWith } from '../../src/domain/content/pdf/font-files.ts';
import { work } from '../../src/domain/publishing/reader/social-image-work.ts';

const { text, wide } = fontFilesWith([]);

/** The first and the last column of an image with ink, after the bar on its left. */
async function inked(title: string): Promise<[number, number]> {
  const colors = { back: '#ffffff', ink: '#000000', accent: '#ff0000' };
  const fonts = [text.files.bold, wide.files.bold];
  const { width, height, data } = decode(
    Buffer.from(await work({ title, description: '', siteTitle: '', ...colors, fonts }), 'base64'),
  );
  const isInked = (column: number) =>
    Array.from({ length: height }, (_, row) => data[row * width + column]).some(Boolean);
  const columns = Array.from({ length: width }, (_, column) => column).slice(16);
  return [columns.find(isInked) ?? 0, columns.findLast(isInked) ?? 0];
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
