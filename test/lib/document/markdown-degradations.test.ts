import { describe, expect, test } from 'vitest';
import { parseMarkdown } from '../../../src/lib/document/markdown/parse.ts';
import { expectStable, expectValid } from './markdown-round-trip.ts';
import { outline } from './outline.ts';

const cases: [name: string, markdown: string, outline: string[], messages: [number, RegExp][]][] = [
  ['headings below the third level', '#### a', ['heading-3', '  "a"'], [[1, /level 4/]]],
  [
    'code in a quotation',
    '> a\n>\n> ```\n> b\n> ```\n>\n> c',
    ['blockquote', '  paragraph', '    "a"', 'code', '  code-line', '    "b"', 'blockquote', '  paragraph', '    "c"'],
    [[1, /blockquote cannot contain a block of type code/]],
  ],
  [
    'an embed in an item',
    '1. a\n\n   {% embed url="b" %}\n2. c',
    [
      'list-ordered',
      '  list-item',
      '    paragraph',
      '      "a"',
      '    paragraph',
      '      link {"ref":{"kind":"url","url":"b"}}',
      '        "b"',
      '  list-item',
      '    paragraph',
      '      "c"',
    ],
    [[1, /list-item cannot contain a block of type embed/]],
  ],
  [
    'a specification in an item',
    '1. a\n\n   {% openapi-operation spec="s" path="p" method="m" %}\n2. b',
    [
      'list-ordered',
      '  list-item',
      '    paragraph',
      '      "a"',
      'openapi-operation {"ref":{"kind":"openapi","spec":"s"},"path":"p","method":"m"}',
      'list-ordered {"start":2}',
      '  list-item',
      '    paragraph',
      '      "b"',
    ],
    [[1, /cannot contain/]],
  ],
  [
    'tabs in tabs',
    '{% tabs %}\n{% tab title="a" %}\n{% tabs %}\n{% tab title="b" %}\nc\n{% endtab %}\n{% endtabs %}\n{% endtab %}\n{% endtabs %}',
    ['tabs', '  tabs-item {"title":"a"}', '    paragraph', '      "b"(bold)', '    paragraph', '      "c"'],
    [[2, /cannot contain/]],
  ],
  [
    'a table in a tab',
    '{% tabs %}\n{% tab title="a" %}\n| b | c |\n|-|-|\n| 1 | **2** |\n{% endtab %}\n{% endtabs %}',
    [
      'tabs',
      '  tabs-item {"title":"a"}',
      '    list-unordered',
      '      list-item',
      '        paragraph',
      '          "b:"(bold) " 1"',
      '        paragraph',
      '          "c:"(bold) " " "2"(bold)',
    ],
    [[2, /cannot contain/]],
  ],
  [
    'a tag that is not closed',
    '{% hint style="info" %}\na',
    ['paragraph', '  "{% hint style=\\"info\\" %}"', 'paragraph', '  "a"'],
    [[1, /has no partner/]],
  ],
  [
    'a tag that is not known',
    '{% foo %}\na\n{% endfoo %}',
    ['paragraph', '  "{% foo %}"', 'paragraph', '  "a"', 'paragraph', '  "{% endfoo %}"'],
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
    [[1, /no file a\.pdf/]],
  ],
  [
    'an inclusion of nothing',
    '{% include "a.md" %}',
    ['paragraph', '  "{% include \\"a.md\\" %}"'],
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

describe('content that the document model cannot represent', () => {
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
