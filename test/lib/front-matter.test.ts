import { describe, expect, test } from 'vitest';
import { splitFrontMatter } from '../../src/lib/front-matter.ts';

describe('splitFrontMatter', () => {
  test.each([
    ['none', '# Title\n', {}, '# Title\n'],
    [
      'a block',
      '---\ndescription: Short\nhidden: true\n---\n\n# Title\n',
      { description: 'Short', hidden: true },
      '\n# Title\n',
    ],
    ['a folded text', '---\ndescription: >-\n  One\n  two\n---\nBody', { description: 'One two' }, 'Body'],
    ['dots at its end', '---\nicon: bolt\n...\nBody', { icon: 'bolt' }, 'Body'],
    ['nothing behind it', '---\nicon: bolt\n---', { icon: 'bolt' }, ''],
    ['an empty block', '---\n---\nBody', {}, 'Body'],
    [
      'a mark in front and Windows line ends',
      '\uFEFF---\r\nicon: bolt\r\n---\r\nOne\r\nTwo',
      { icon: 'bolt' },
      'One\nTwo',
    ],
    ['a date, which stays text', '---\ndate: 2024-10-22\n---\n', { date: '2024-10-22' }, ''],
    ['the same key twice: the last one counts', '---\na: 1\na: 2\n---\n', { a: 2 }, ''],
    ['a rule and no end', '---\nText\n', {}, '---\nText\n'],
    [
      'a value that occurs ten times',
      `---\na: &a x\nb: [${Array(9).fill('*a').join(', ')}]\n---\n`,
      { a: 'x', b: Array(9).fill('x') },
      '',
    ],
    ['a text between rules', '---\nText\n---\nMore', {}, '---\nText\n---\nMore'],
    ['a text between rules below a blank line', '\n---\na: 1\n---\n', {}, '\n---\na: 1\n---\n'],
    ['rules further down', 'Text\n\n---\na: 1\n---\n', {}, 'Text\n\n---\na: 1\n---\n'],
  ])('%s', (_, text, data, body) => {
    expect(splitFrontMatter(text)).toEqual({ data, body });
  });

  test.each([
    ['broken YAML', 'a: [1\nb: "', /./],
    ['aliases that unfold to very much', bomb(), /alias/i],
    [
      'mappings as keys of mappings, hundreds deep',
      `a: ${'{? '.repeat(400)}a${'}'.repeat(400)}`,
      /^All keys must be strings at line 1/,
    ],
    ['lists nested far too deep', `a: ${'['.repeat(30_000)}`, /^Maximum call stack size exceeded/],
    [
      'a value that occurs eleven times',
      `a: &a ${'x'.repeat(1_000)}\nb: [${Array(10).fill('*a').join(', ')}]`,
      /alias/i,
    ],
    ['mappings that are merged very often', `%YAML 1.1\n--- #\n${merges()}`, /alias/i],
    ['more than 64 KiB', `a: ${'x'.repeat(70_000)}`, /65536/],
  ])('%s is left out of the body and reported', (_, block, issue) => {
    const result = splitFrontMatter(`---\n${block}\n---\nBody`);
    expect(result).toMatchObject({ data: {}, body: 'Body' });
    expect(result.issue).toMatch(issue);
  });

  test('front matter that restricts a page is no text, even below blank lines', () => {
    const { issue, ...result } = splitFrontMatter('\n \n---\nif: visitor.claims.beta\n---\nBody');
    expect(result).toEqual({ data: {}, body: 'Body', unreadBlock: 'if: visitor.claims.beta\n' });
    expect(issue).toMatch(/first line/);
  });

  test('front matter that cannot be read and has no end leaves the text down to the next rule in the body', () => {
    const { issue, ...result } = splitFrontMatter('---\ntitle: A: b\n\n# C\n\nText\n\n---\n\nMore\n');
    expect(result).toEqual({ data: {}, body: '\n# C\n\nText\n\n---\n\nMore\n', unreadBlock: 'title: A: b' });
    expect(issue).toMatch(/end is missing/);
    const commented = splitFrontMatter('---\ntitle: A: b\n\n# A comment\nicon: bolt\n# Another one\n---\nBody');
    expect(commented).toMatchObject({ body: 'Body', unreadBlock: expect.stringContaining('# Another one') });
  });

  test.each([
    ['below a comment', '# Settings\n\ntitle: Beta: the plan\nif: visitor.claims.staff'],
    [
      'below a blank line in a value',
      'title: A: b\ndescription: |\n  First\n\n  Second\n# Who may read this\nif: visitor.claims.staff',
    ],
    ['indented', 'title: Open\n\n# Text\n\n  if: visitor.claims.staff'],
  ])('a restriction that stands %s of front matter that cannot be read is no text', (_where, block) => {
    for (const text of [
      `---\n${block}\n---\nBody`,
      ...(block.startsWith('title: Open') ? [] : [`---\n${block}\n\nBody`]),
    ]) {
      const { body, unreadBlock = '' } = splitFrontMatter(text);
      expect([unreadBlock.includes('if: visitor.claims.staff'), body.trim()]).toEqual([true, 'Body']);
    }
  });

  test('paragraphs below front matter without an end are text', () => {
    const text = '\n\nNote: read this first.\nIt has two lines.\n\n# Setup\n';
    expect(splitFrontMatter(`---\nhidden: true${text}`)).toMatchObject({
      body: text.slice(1),
      unreadBlock: 'hidden: true',
    });
    const { body } = splitFrontMatter('---\nhidden: true\n# Setup\nText.\n');
    expect(body).toBe('# Setup\nText.\n');
  });

  test('keys such as __proto__ are plain keys', () => {
    const { data } = splitFrontMatter('---\n__proto__:\n  polluted: true\n---\n');
    expect(Object.keys(data)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined(); // the empty object shows what all would inherit
  });
});

/** With YAML 1.1, `<<` copies the members of mappings. */
function merges(): string {
  const lines = ['a0: &a0 {x: 1}'];
  for (let level = 1; level < 9; level++) {
    const sources = Array(9)
      .fill(`*a${level - 1}`)
      .join(', ');
    lines.push(`a${level}: &a${level}`, `  <<: [${sources}]`);
  }
  return lines.join('\n');
}

function bomb(): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level < 9; level++) {
    lines.push(
      `a${level}: &a${level} [${Array(10)
        .fill(`*a${level - 1}`)
        .join(', ')}]`,
    );
  }
  return lines.join('\n');
}
