import { expect, test } from 'vitest';
import { runsByFont } from '../../../src/lib/pdf/fonts.ts';
import { iconLookup } from '../../../src/lib/pdf/icons.ts';

const icons = new Map([
  ['cog', '\uf013'],
  ['gear', '\uf013'],
  ['bell', '\uf0f3'],
]);

test('a variant that the font lacks is shown as the icon it is a variant of', () => {
  const icon = iconLookup(() => [{ font: 'Icons', icons }]);
  expect(icon('fa-gear')).toEqual({ text: '\uf013', font: 'Icons' });
  expect(icon('bell-on-slash')).toEqual({ text: '\uf0f3', font: 'Icons' });
  expect(icon('sparkles')).toBeUndefined();
});

test('the names of icons are read when the first icon is looked up', () => {
  let reads = 0;
  const icon = iconLookup(() => {
    reads += 1;
    return [];
  });
  expect(reads).toBe(0);
  for (const name of ['gear', 'bell']) icon(name);
  expect(reads).toBe(1);
});

test('an emoji is drawn by the font of emoji, with what it is joined to', () => {
  const families = [
    { name: 'Text', has: (point: number) => point < 0x2800 },
    { name: 'Emoji', has: (point: number) => point === 0x2714 || point >= 0x1f000 },
  ];
  expect(runsByFont('a 👩\u200d💻 b', families)).toEqual([
    { text: 'a ', font: 'Text' },
    { text: '👩\u200d💻', font: 'Emoji' },
    { text: ' b', font: 'Text' },
  ]);
  expect(runsByFont('✔', families)).toEqual([{ text: '✔', font: 'Text' }]);
  expect(runsByFont('✔\ufe0f', families)).toEqual([{ text: '✔', font: 'Emoji' }]);
});
