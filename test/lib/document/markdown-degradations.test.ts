import { describe, expect, test } from 'vitest';
import { block } from '../../../src/lib/document/build.ts';
import { documentOf } from '../../../src/lib/document/empty.ts';
import { parseMarkdown } from '../../../src/lib/document/markdown/parse.ts';
import { expectStable, expectValid } from './markdown-round-trip.ts';
import { outline } from './outline.ts';

const cases: [name: string, markdown: string, outline: string[], messages: [number, RegExp][]][] = [
  ['headings below the third level', '#### a', ['heading-3', '  "a"'], [[1, /level 4/]]],
  [
    'a tag that is not closed',
    '{% hint style="info" %}\na',
    ['paragraph', '  "{% hint style=\\"info\\" %}"', 'paragraph', '  "a"'],
    [[1, /has no partner/]],
  ],
  [
    'a tag that is not known',
    '{% foo %}\na\n{% endfoo %}',
    ['unknown {"source":"{% foo %}\\na\\n{% endfoo %}"}'],
    [[1, /is unknown/]],
  ],
  [
    'a block of unknown HTML',
    '<foo>\n  a\n</foo>',
    ['code {"syntax":"html"}', '  code-line', '    "<foo>"', '  code-line', '    "  a"', '  code-line', '    "</foo>"'],
    [],
  ],
  ['a comment', 'a <!-- b --> c', ['paragraph', '  "a  c"'], [[1, /comment/]]],
  [
    'the title of a link',
    '[a](b "c")',
    ['paragraph', '  link {"ref":{"kind":"url","url":"b"}}', '    "a"'],
    [[1, /title of a link.*c/]],
  ],
  [
    'words behind the language of a fence',
    '```js {1}\na\n```',
    ['code {"syntax":"js"}', '  code-line', '    "a"'],
    [[1, /\{1\}/]],
  ],
  [
    'a footnote nobody calls',
    'a\n\n[^1]: b',
    ['paragraph', '  "a"', 'paragraph', '  "b"'],
    [[3, /without a reference/]],
  ],
  [
    'a footnote that calls itself',
    'a[^1]\n\n[^1]: b[^1]',
    [
      'paragraph',
      '  "a"',
      '  annotation',
      '    "1"(superscript)',
      '    :annotation-body',
      '      paragraph',
      '        "b" "1"(superscript)',
    ],
    [[3, /not shown/]],
  ],
  [
    'a file that is none',
    '{% file src="a.pdf" %}',
    ['paragraph', '  link {"ref":{"kind":"url","url":"a.pdf"}}', '    "a.pdf"'],
    [[1, /file a\.pdf does not exist/]],
  ],
  [
    'an inclusion of nothing',
    '{% include "a.md" %}',
    ['unknown {"source":"{% include \\"a.md\\" %}"}'],
    [[1, /is unknown/]],
  ],
  [
    'an icon in a link',
    '[a <i class="fa-x"></i>](b)',
    ['paragraph', '  link {"ref":{"kind":"url","url":"b"}}', '    "a "'],
    [[1, /type icon is not allowed/]],
  ],
  [
    'numbered tasks',
    '1. [x] a',
    ['list-tasks', '  list-item {"checked":true}', '    paragraph', '      "a"'],
    [[1, /loses its numbers/]],
  ],
  [
    'a list with and without checks',
    '* a\n* [x] b',
    [
      'list-unordered',
      '  list-item',
      '    paragraph',
      '      "a"',
      'list-tasks',
      '  list-item {"checked":true}',
      '    paragraph',
      '      "b"',
    ],
    [],
  ],
];

describe('what GitBook nests although its schema does not', () => {
  test.each([
    ['code in a quotation', '> a\n>\n> ```\n> b\n> ```\n>\n> c\n'],
    ['an embed in an item', '1. a\n\n   {% embed url="b" %}\n\n2. c\n'],
    ['code in a hint', '{% hint style="info" %}\na\n\n```js\nb\n```\n{% endhint %}\n'],
    ['tabs in tabs', tabs(tabs('a'))],
    ['a table in a tab', tabs('| a |\n| --- |\n| b |\n\n')],
    ['a stepper in a tab', tabs(stepper('a'))],
    ['tabs in a step', stepper(tabs('a'))],
    ['a table in a step', stepper('| a |\n| --- |\n| b |\n\n')],
  ])('%s is kept', (_, markdown) => {
    const { document, degradations } = parseMarkdown(markdown);
    expectValid(document);
    expect(expectStable(document)).toBe(markdown);
    expect(degradations).toEqual([]);
  });
});

describe('unknown tags', () => {
  test.each([
    ['alone', '{% foo bar="1" %}\n\na\n'],
    [
      'with blocks and tags',
      '{% releases format="full" %}\n{% release date="2024-10-20" %}\n## v1\n\n* a\n{% endrelease %}\n{% endreleases %}\n',
    ],
    ['with code', '{% prompt %}\n```\na\n```\n{% endprompt %}\n'],
    ['in an item', '* a\n\n  {% prompt %}\n  b\n\n      c\n  {% endprompt %}\n'],
    ['in a quotation', '> {% prompt %}\n> a\n>\n>     b\n> {% endprompt %}\n'],
  ])('%s are printed as they were', (_, markdown) => {
    const { document } = parseMarkdown(markdown);
    expectValid(document);
    expect(expectStable(document)).toBe(markdown);
  });

  test('that would be read differently are stored', () => {
    const document = documentOf([
      block('unknown', { data: { source: '{% hint %}' } }),
      block('unknown', { data: { source: 'a' } }),
    ]);
    expect(expectStable(document)).toContain('```stemma-block');
  });
});

describe('code, buttons and mentions of GitBook', () => {
  test('code in HTML keeps its language, title and marked lines', () => {
    const { document } = parseMarkdown(
      '<pre class="language-java" data-title="X.java" data-line-numbers><code class="lang-java">a\n<strong>b\n</strong>c &#x3C; d\n</code></pre>',
    );
    expect(expectStable(document)).toBe(
      '{% code title="X.java" lineNumbers="true" highlight="2" %}\n```java\na\nb\nc < d\n```\n{% endcode %}\n',
    );
  });

  test('a button without an address stays one', () => {
    const markdown = '<a class="button primary">Go</a>\n';
    expect(expectStable(parseMarkdown(markdown).document)).toBe(markdown);
  });

  test('a mention of another site keeps its label', () => {
    const { document } = parseMarkdown('[A label](https://example.com "mention") and [u](page:1 "mention")');
    expect(expectStable(document)).toBe('[A label](https://example.com) and [page:1](page:1 "mention")\n');
  });
});

function tabs(content: string): string {
  return `{% tabs %}\n{% tab title="t" %}\n${content.trimEnd()}${content.endsWith('\n\n') ? '\n\n' : '\n'}{% endtab %}\n{% endtabs %}\n`;
}

function stepper(content: string): string {
  return `{% stepper %}\n{% step %}\n${content.trimEnd()}${content.endsWith('\n\n') ? '\n\n' : '\n'}{% endstep %}\n{% endstepper %}\n`;
}

describe('what the document model has no form for', () => {
  test.each(cases)('%s', (_, markdown, expected, messages) => {
    const { document, degradations } = parseMarkdown(markdown);
    expect(outline(document)).toEqual(expected);
    expectValid(document);
    expectStable(document);
    expect(degradations).toEqual(
      messages.map(([line, message]) => ({ line, message: expect.stringMatching(message) })),
    );
  });
});
