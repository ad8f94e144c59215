import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRobots } from '../../../src/lib/crawl/robots.ts';

const rules = (...lines: string[]) => parseRobots(lines.join('\n'), 'stemma');
const allowed = (pattern: string, path: string) =>
  rules('User-agent: *', `Disallow: ${pattern}`).allows(path) === false;

describe('a pattern', () => {
  test.each([
    ['/docs', '/docs/page', true],
    ['/docs', '/doc', false],
    ['/*.php', '/a/b.php?c', true],
    ['/*.php$', '/a/b.php', true],
    ['/*.php$', '/a/b.php?c', false],
    ['/*.php$', '/a.php/b.php', true],
    ['/a*b*c', '/a-b-b-c', true],
    ['/a*b*c', '/a-c-b', false],
    ['/a*a$', '/a', false],
    ['/$', '/', true],
    ['/$', '/a', false],
    ['*', '/anything', true],
    ['/ä', '/%C3%A4', true],
    ['/%c3%a4', '/%C3%A4', true],
    ['/a%2fb', '/a%2Fb', true],
  ])('%s matches %s: %s', (pattern, path, isMatch) => {
    expect(allowed(pattern, path)).toBe(isMatch);
  });

  test('matches as the expression that it stands for does', () => {
    const part = fc.constantFrom('a', 'b', '/', '*', 'ab');
    const path = fc.array(fc.constantFrom('a', 'b', '/'), { maxLength: 12 }).map((parts) => `/${parts.join('')}`);
    const pattern = fc
      .tuple(fc.array(part, { maxLength: 6 }), fc.constantFrom('', '$'))
      .map(([parts, end]) => `/${parts.join('')}${end}`);
    fc.assert(
      fc.property(pattern, path, (written, asked) => {
        const expression = new RegExp(`^${written.replaceAll('*', '.*')}`);
        expect(allowed(written, asked)).toBe(expression.test(asked));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a robot', () => {
  test('obeys all groups for its name, and the general ones only if there are none', () => {
    const own = ['User-agent: *', 'Disallow: /', '', 'User-agent: Stemma/2.0', 'Disallow: /a', 'User-agent: other'];
    const twice = rules(...own, 'Disallow: /b', 'User-agent: STEMMA', 'Disallow: /c', 'Crawl-delay: 2');
    expect(['/', '/a', '/b', '/c'].map(twice.allows)).toEqual([true, false, true, false]);
    expect(twice.delay).toBe(2);
    expect(rules('User-agent: other', 'Disallow: /').allows('/')).toBe(true);
    expect(rules('User-agent: other', 'User-agent: *', 'Disallow: /').allows('/')).toBe(false);
  });

  test('applies the longest matching rule, and prefers Allow among equals', () => {
    const longest = rules(
      'User-agent: *',
      'Disallow: /a',
      'Allow: /a/b',
      'Disallow: /a/b/c',
      'Allow: /d',
      'Disallow: /d',
    );
    expect(['/a', '/a/b', '/a/b/c', '/d'].map(longest.allows)).toEqual([false, true, false, true]);
  });

  test('ignores comments, empty and unknown rules, and collects sitemaps anywhere', () => {
    const text =
      '\ufeffSitemap: https://a.example/1\r\nUser-agent: * # all\r# Disallow: /\nDisallow:\nHost: x\nsitemap: /2';
    const { allows, sitemaps, delay } = parseRobots(text, 'stemma');
    expect([allows('/'), sitemaps, delay]).toEqual([true, ['https://a.example/1', '/2'], undefined]);
  });
});

test('of an endless file, the first 2,000 rules count, without overlong lines', () => {
  const many = rules('User-agent: *', ...Array.from({ length: 3_000 }, (_, i) => `Disallow: /${i}/`));
  expect([many.allows('/1999/'), many.allows('/2000/')]).toEqual([false, true]);
  const long = rules('User-agent: *', `Disallow: /${'*a'.repeat(200_000)}`, 'Disallow: /b');
  expect([long.allows(`/${'a'.repeat(2_000)}`), long.allows('/b')]).toEqual([true, false]);
});

test('rules count whose asterisks divide them into up to 10,000 parts together', () => {
  const starred = Array.from({ length: 40 }, () => `Disallow: /${'*a'.repeat(400)}c`);
  const many = rules('User-agent: *', ...starred, `Disallow: /${'*a'.repeat(400)}`, 'Disallow: /b');
  expect([many.allows(`/${'a'.repeat(1_000)}`), many.allows('/b')]).toEqual([true, false]);
});
