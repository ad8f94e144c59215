import fc from 'fast-check';
import { expect, test } from 'vitest';
import { slugify, uniqueSlug } from '../../src/lib/slug.ts';

test.each([
  ['Getting Started', 'getting-started'],
  ['  What’s new?! ', 'what-s-new'],
  ['API / v1.2', 'api-v1-2'],
  ['Über Größe', 'über-größe'],
  ['Cafe\u0301', 'café'],
  ['日本語 ガイド', '日本語-ガイド'],
  ['नमस्ते', 'नमस्ते'],
  ['---', 'page'],
  ['', 'page'],
  ['🚀', 'page'],
  [`${'a'.repeat(99)} b`, 'a'.repeat(99)],
])('%j becomes %j', (title, slug) => {
  expect(slugify(title)).toBe(slug);
});

test('a slug is its own slug, is one segment, and has at most 100 code points', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 150 }), (title) => {
      const slug = slugify(title);
      expect(slugify(slug)).toBe(slug);
      expect(slug).toMatch(/^[^/\s]+$/);
      expect(Array.from(slug).length).toBeLessThanOrEqual(100);
    }),
    { numRuns: 1000 },
  );
});

test('takes the first free suffix', () => {
  expect(uniqueSlug('a', new Set())).toBe('a');
  expect(uniqueSlug('a', new Set(['a']))).toBe('a-2');
  expect(uniqueSlug('a', new Set(['a', 'a-2', 'a-4']))).toBe('a-3');
  expect(uniqueSlug('a-2', new Set(['a-2']))).toBe('a-2-2');
});

test('cuts a long slug to make room for the suffix', () => {
  const long = '日'.repeat(100);
  expect(uniqueSlug(long, new Set([long]))).toBe(`${'日'.repeat(98)}-2`);
});
