import { describe, expect, test } from 'vitest';
import { parseSummary, type SummaryItem } from '../../../src/lib/repository/summary.ts';
import { HOSTILE_SUMMARIES } from './hostile-summaries.ts';

/** A table of contents in short: `title → address` with its children indented, headings in brackets. */
const sketch = (items: SummaryItem[], indent = ''): string[] =>
  items.flatMap(({ title, url, linkTitle, isHeading, children }) => [
    `${indent}${isHeading ? `[${title}]` : title}${url ? ` → ${url}` : ''}${linkTitle ? ` (${linkTitle})` : ''}`,
    ...sketch(children, `${indent}  `),
  ]);

const read = (markdown: string) => sketch(parseSummary(markdown).items);

describe('SUMMARY.md', () => {
  test('is nested lists of links', () => {
    const markdown = `# Table of contents

* [Introduction](README.md)
* [Guide](guide/README.md)
  * [First](guide/first.md)
    * [Deep](guide/deep.md)
  * Without a link
* [Elsewhere](https://example.com/)
`;
    expect(read(markdown)).toEqual([
      'Introduction → README.md',
      'Guide → guide/README.md',
      '  First → guide/first.md',
      '    Deep → guide/deep.md',
      '  Without a link',
      'Elsewhere → https://example.com/',
    ]);
  });

  test.each([
    ['hyphens, four spaces', '- [A](a.md)\n    - [B](b.md)\n        - [C](c.md)\n'],
    ['tabs', '*\t[A](a.md)\n\t*\t[B](b.md)\n\t\t*\t[C](c.md)\n'],
    ['mixed markers', '* [A](a.md)\n  - [B](b.md)\n    + [C](c.md)\n'],
    ['numbers', '1. [A](a.md)\n   1. [B](b.md)\n      1. [C](c.md)\n'],
    ['blank lines', '* [A](a.md)\n\n  * [B](b.md)\n\n    * [C](c.md)\n'],
    ['a list that is indented itself', '  * [A](a.md)\n    * [B](b.md)\n      * [C](c.md)\n'],
  ])('takes %s', (_, markdown) => {
    expect(read(markdown)).toEqual(['A → a.md', '  B → b.md', '    C → c.md']);
  });

  test('headings are groups, a rule ends one, and the first heading of level 1 is the title of the file', () => {
    const markdown = `# Summary

* [Home](README.md)

## Basics <a href="#basics" id="basics"></a>

* [One](one.md)

### [Advanced](advanced/README.md)

- [Two](two.md)
- [Three](three.md)

* * *

* [Last](last.md)

# Appendix
`;
    expect(read(markdown)).toEqual([
      'Home → README.md',
      '[Basics]',
      '  One → one.md',
      '[Advanced] → advanced/README.md',
      '  Two → two.md',
      '  Three → three.md',
      'Last → last.md',
      '[Appendix]',
    ]);
  });

  test.each([
    ['code and marks', '* [`init` the **new** _way_](a.md)', 'init the new way → a.md'],
    ['escapes and entities', '* [monitor\\_agent \\(new\\) &amp; more](a.md)', 'monitor_agent (new) & more → a.md'],
    ['an image', '* [![Logo](logo.png) Start](a.md)', 'Logo Start → a.md'],
    ['a page link title', '* [A page](a.md "Short \\"title\\"")', 'A page → a.md (Short "title")'],
    ['an address in angle brackets', '* [A](<my page.md>)', 'A → my page.md'],
    ['an address with a bare space', '* [A](my page.md)', 'A → my page.md'],
    ['an address by reference', '* [A][ref]\n\n[ref]: a.md', 'A → a.md'],
    ['a link inside marks', '* **[A](a.md)**', 'A → a.md'],
    ['text around the link', '* See [A](a.md) first', 'A → a.md'],
    ['no address', '* [Soon]()', 'Soon'],
    ['no text', '* [](a.md)', ' → a.md'],
    ['control characters', '* [A\u0007B](a.md)', 'A B → a.md'],
  ])('reads a title with %s', (_, markdown, item) => {
    expect(read(markdown)).toEqual([item]);
  });

  test('knows the line of each entry', () => {
    const { items } = parseSummary('# T\n\n* [A](a.md)\n  * [B](b.md)\n');
    expect(items[0]).toMatchObject({ line: 3, children: [{ line: 4 }] });
  });

  test('takes entries that are indented too far for children of the entry above, and reports them', () => {
    const markdown = '* [A](a.md)\n        * [B](b.md)\n          * [C](c.md)\n      * [D](d.md)\n* [E](e.md)\n';
    expect(read(markdown)).toEqual(['A → a.md', '  B → b.md', '    C → c.md', '  D → d.md', 'E → e.md']);
    expect(parseSummary(markdown).report).toMatchObject([{ line: 2 }, { line: 4 }]);
  });

  test('ignores everything but lists and lifts children of empty entries', () => {
    expect(read('Hello [x](x.md).\n\n```\n* [C](c.md)\n```\n\n<!-- * [D](d.md) -->\n\n* \n  * [A](a.md)\n')).toEqual([
      'A → a.md',
    ]);
    expect(read('')).toEqual([]);
  });

  test.each(HOSTILE_SUMMARIES)('that is %s is reported', (_, markdownOf, size) => {
    const { report } = parseSummary(markdownOf(size));
    expect(report).toMatchObject([{ severity: 'warning', file: 'SUMMARY.md' }]);
  });
});
