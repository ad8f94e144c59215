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

test('terms, bytes and characters of a page are bounded', () => {
  const many = page(Array.from({ length: 60_000 }, (_, index) => index.toString(36)).join(' '));
  expect(many.fields.anywhere.size).toBe(20_000);
  const long = page(Array.from({ length: 10_000 }, (_, index) => `${'ჰ'.repeat(34)}${index}`).join(' '));
  const bytes = [...long.fields.anywhere].reduce((sum, term) => sum + Buffer.byteLength(term), 0);
  expect(bytes).toBeLessThan(300_000);
  const endless = page('word '.repeat(1_000_000));
  expect(endless.length).toBeLessThan(110_000);
  expect(endless.fields.title).toEqual(new Set(['title']));
});
