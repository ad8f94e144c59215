import { expect, test } from 'vitest';
import { pageTerms } from '../../../src/lib/search/page-terms.ts';

test('terms are distinguished by position', () => {
  const { fields, words, length } = pageTerms({
    title: 'A guide',
    description: 'For agents',
    sections: [
      { title: null, body: 'An agent, an agent and an agent.' },
      { title: 'updateSpace', body: '設定 twice, twice.' },
    ],
  });
  expect(fields.title).toEqual(new Set(['a', 'guide']));
  expect(fields.heading).toEqual(new Set(['updatespace', 'update', 'space']));
  expect(fields.description).toEqual(new Set(['for', 'agents']));
  expect(fields.prominent).toEqual(new Set(['agent', 'an']));
  expect([...fields.anywhere].toSorted()).toEqual([
    'a',
    'agent',
    'agents',
    'an',
    'and',
    'for',
    'guide',
    'space',
    'twice',
    'update',
    'updatespace',
    '定',
    '設',
    '設定',
  ]);
  expect([...words].some((word) => word.includes('設'))).toBe(false);
  expect(length).toBe(15);
});

const page = (body: string) => pageTerms({ title: 'Title', description: '', sections: [{ title: 'Heading', body }] });

test('names of several words and options are terms of their own, and words have places by part', () => {
  const { fields, places, words } = pageTerms({
    title: 'The plugin-load',
    description: '',
    sections: [{ title: null, body: 'Use --plugin-load, short_question or a.b.c. 設定値' }],
  });
  expect(fields.whole).toEqual(new Set(['the plugin load']));
  for (const name of ['plugin_load', '--plugin_load', 'short_question', 'a_b_c']) {
    expect(fields.anywhere.has(name)).toBe(true);
    expect(words.has(name)).toBe(false);
  }
  expect(fields.title.has('--plugin_load')).toBe(false);
  expect(places.get('load')).toEqual(['3A', '15D']);
  expect(places.get('short')).toEqual(['16D']);
  expect(places.get('設定')).toEqual(['22D']);
  expect(places.get('定値')).toEqual(['23D']);
});

test('versions have terms without their v, and two words with a dot or hyphen a term without it', () => {
  const { fields, places, words } = page('Since v2.10 of Node.js: my-tool-v3 of 2.5 e-mails, a.b.c, snake_case.');
  for (const term of ['v2', '2', '2_10', 'nodejs', 'node_js', 'emails', 'my_tool_3'])
    expect(fields.anywhere).toContain(term);
  for (const term of ['v2_10', 'abc', 'snakecase', '25', 'mytool']) expect(fields.anywhere).not.toContain(term);
  expect(words).toContain('nodejs');
  expect(places.get('2')?.[0]).toBe(places.get('v2')?.[0]);
});

test('of a page, so many terms, bytes and characters are kept', () => {
  const many = page(Array.from({ length: 60_000 }, (_, index) => index.toString(36)).join(' '));
  expect(many.fields.anywhere.size).toBe(20_000);
  const long = page(Array.from({ length: 10_000 }, (_, index) => `${'ჰ'.repeat(34)}${index}`).join(' '));
  const bytes = [...long.fields.anywhere].reduce((sum, term) => sum + Buffer.byteLength(term), 0);
  expect(bytes).toBeLessThan(300_000);
  const endless = page('word '.repeat(1_000_000));
  expect(endless.length).toBeLessThan(110_000);
  expect(endless.fields.title).toEqual(new Set(['title']));
});
