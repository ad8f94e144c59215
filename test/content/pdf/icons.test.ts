import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { iconFonts, readIconSets } from '../../../src/domain/content/pdf/icon-files.ts';
import { FILES, ICONS, iconNames, PACKAGE } from '../../icons.ts';

test('the fonts and names of icons are those of the installed Font Awesome', async () => {
  for (const [from, to] of FILES) {
    const [original, copy] = await Promise.all([readFile(new URL(from, PACKAGE)), readFile(new URL(to, ICONS))]);
    expect([to, original.equals(copy)]).toEqual([to, true]);
  }
  expect(JSON.parse(await readFile(new URL('names.json', ICONS), 'utf8'))).toEqual(await iconNames());
  const { version } = JSON.parse(await readFile(new URL('package.json', PACKAGE), 'utf8')) as { version: string };
  expect(await readFile(new URL('README.md', ICONS), 'utf8')).toContain(version);
});

test('icons are found by current and older names', () => {
  const [solid, brands] = readIconSets();
  expect([
    solid?.icons.get('gear'),
    solid?.icons.get('cog'),
    solid?.icons.get('dollar'),
    solid?.icons.get('0'),
  ]).toEqual(['\uf013', '\uf013', '$', '0']);
  expect(brands?.icons.get('github')).toBe('\uf09b');
  expect([solid?.font, brands?.font]).toEqual(iconFonts.map(({ name }) => name));
});
