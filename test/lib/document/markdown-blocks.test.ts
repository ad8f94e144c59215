import { describe, expect, test } from 'vitest';
import { expectStable, expectValid, parse } from './markdown-round-trip.ts';
import { outline } from './outline.ts';

const hint = (style: string, ...lines: string[]) => [`hint {"style":"${style}"}`, ...lines.map((line) => `  ${line}`)];

/** Markdown, the outline of its document, and how it is printed when that is not the same text. */
const cases: [name: string, markdown: string, outline: string[], printed?: string][] = [
  ['a paragraph', 'Hello', ['paragraph', '  "Hello"']],
  ['nothing', '', []],
  ['an aligned paragraph', '<p align="right">a</p>', ['paragraph {"align":"end"}', '  "a"']],
  [
    'an empty paragraph between others',
    'a\n\n<p></p>\n\nb',
    ['paragraph', '  "a"', 'paragraph', '  ""', 'paragraph', '  "b"'],
  ],
  ['headings', '# a\n\n## b\n\n### c', ['heading-1', '  "a"', 'heading-2', '  "b"', 'heading-3', '  "c"']],
  ['a heading with an anchor', '## a <a href="#x" id="x"></a>', ['heading-2 {"id":"x"}', '  "a"']],
  [
    'a heading with an anchor in braces',
    '## a {#x}',
    ['heading-2 {"id":"x"}', '  "a"'],
    '## a <a href="#x" id="x"></a>',
  ],
  [
    'an anchor above a heading',
    '<a name="x"></a>\n## a',
    ['heading-2 {"id":"x"}', '  "a"'],
    '## a <a href="#x" id="x"></a>',
  ],
  ['a divider', '***', ['divider']],
  [
    'an unordered list',
    '* a\n* b',
    ['list-unordered', '  list-item', '    paragraph', '      "a"', '  list-item', '    paragraph', '      "b"'],
  ],
  ['an ordered list', '3. a', ['list-ordered {"start":3}', '  list-item', '    paragraph', '      "a"']],
  [
    'tasks',
    '* [x] a\n* [ ] b',
    [
      'list-tasks',
      '  list-item {"checked":true}',
      '    paragraph',
      '      "a"',
      '  list-item {"checked":false}',
      '    paragraph',
      '      "b"',
    ],
  ],
  ['a quotation', '> a', ['blockquote', '  paragraph', '    "a"']],
  ['a hint', '{% hint style="success" %}\na\n{% endhint %}', hint('success', 'paragraph', '  "a"')],
  [
    'a hint on one line',
    '{% hint style="danger" %} a {% endhint %}',
    hint('danger', 'paragraph', '  "a"'),
    '{% hint style="danger" %}\na\n{% endhint %}',
  ],
  [
    'code',
    '```js\na\n\n b\n```',
    ['code {"syntax":"js"}', '  code-line', '    "a"', '  code-line', '    ""', '  code-line', '    " b"'],
  ],
  [
    'code with a title',
    '{% code title="a.js" lineNumbers="true" %}\n```js\na\n```\n{% endcode %}',
    ['code {"syntax":"js","title":"a.js","lineNumbers":true}', '  code-line', '    "a"'],
  ],
  ['indented code', '    a', ['code', '  code-line', '    "a"'], '```\na\n```'],
  ['a formula', '$$\na_b\n$$', ['math {"formula":"a_b"}']],
  ['a formula in tags', '{% math %}\na_b\n{% endmath %}', ['math {"formula":"a_b"}'], '$$\na_b\n$$'],
  [
    'a formula in tags with fences in it',
    '{% math %}\n$$\na\n$$\n{% endmath %}',
    ['math {"formula":"$$\\na\\n$$"}'],
    '$$$\n$$\na\n$$\n$$$',
  ],
  [
    'a formula after a list',
    '* a\n$$\nb\n$$',
    ['list-unordered', '  list-item', '    paragraph', '      "a"', 'math {"formula":"b"}'],
    '* a\n\n$$\nb\n$$',
  ],
  ['a formula in a fence', '```math\na_b\n```', ['math {"formula":"a_b"}'], '$$\na_b\n$$'],
  [
    'an expandable',
    '<details>\n\n<summary>a <b>b</b></summary>\n\nc\n\n</details>',
    [
      'expandable',
      '  :expandable-title',
      '    paragraph',
      '      "a " "b"(bold)',
      '  :expandable-body',
      '    paragraph',
      '      "c"',
    ],
    '<details>\n\n<summary>a <strong>b</strong></summary>\n\nc\n\n</details>',
  ],
  [
    'tabs',
    '{% tabs %}\n{% tab title="a" %}\nb\n{% endtab %}\n{% endtabs %}',
    ['tabs', '  tabs-item {"title":"a"}', '    paragraph', '      "b"'],
  ],
  [
    'a stepper',
    '{% stepper %}\n{% step %}\n## a\n{% endstep %}\n{% endstepper %}',
    ['stepper', '  stepper-step', '    heading-2', '      "a"'],
  ],
  [
    'a changelog',
    '{% updates format="short" %}\n{% update date="2026-04-09" tags="api,ai" %}\n## a\n{% endupdate %}\n\n{% update date="2026-04-08T10:11:12.000Z" %}\nb\n{% endupdate %}\n{% endupdates %}',
    [
      'updates {"format":"short"}',
      '  update {"date":"2026-04-09T00:00:00.000Z","tags":[{"kind":"tag","tag":"api"},{"kind":"tag","tag":"ai"}]}',
      '    heading-2',
      '      "a"',
      '  update {"date":"2026-04-08T10:11:12.000Z"}',
      '    paragraph',
      '      "b"',
    ],
  ],
  [
    'a changelog without a date that can be read',
    '{% updates format="full" %}\n{% update date="RELEASE_DATE" %}\n## a\n{% endupdate %}\n{% endupdates %}',
    [
      'unknown {"source":"{% updates format=\\"full\\" %}\\n{% update date=\\"RELEASE_DATE\\" %}\\n## a\\n{% endupdate %}\\n{% endupdates %}"}',
    ],
  ],
  [
    'a changelog of the year 10000 in UTC',
    '{% updates format="full" %}\n{% update date="9999-12-31T23:59:59-01:00" %}\n## a\n{% endupdate %}\n{% endupdates %}',
    [
      'unknown {"source":"{% updates format=\\"full\\" %}\\n{% update date=\\"9999-12-31T23:59:59-01:00\\" %}\\n## a\\n{% endupdate %}\\n{% endupdates %}"}',
    ],
  ],
  [
    'columns',
    '{% columns %}\n{% column width="50%" %}\na\n{% endcolumn %}\n{% endcolumns %}',
    ['columns', '  column {"width":{"unit":"%","value":50}}', '    paragraph', '      "a"'],
  ],
  ['a condition', '{% if a == "b" %}\nc\n{% endif %}', ['if {"expression":"a == \\"b\\""}', '  paragraph', '    "c"']],
  ['an embed', '{% embed url="https://a.b" %}', ['embed {"url":"https://a.b"}']],
  [
    'an embedded frame',
    '<iframe src="https://a.b"></iframe>',
    ['embed {"url":"https://a.b"}'],
    '{% embed url="https://a.b" %}',
  ],
  ['a file', '{% file src="file:x" %}', ['file {"ref":{"kind":"file","file":"x"}}']],
  ['a drawing', '{% drawing src="file:x" %}', ['drawing {"ref":{"kind":"file","file":"x"}}']],
  [
    'a reusable content',
    '{% include "reusable:x" %}',
    ['reusable-content {"ref":{"kind":"reusable-content","reusableContent":"x"}}'],
  ],
  [
    'a content reference',
    '{% content-ref url="page:x" %}\n[Title](page:x)\n{% endcontent-ref %}',
    ['content-ref {"ref":{"kind":"page","page":"x"}}'],
    '{% content-ref url="page:x" %}\n[page:x](page:x)\n{% endcontent-ref %}',
  ],
  [
    'an operation',
    '{% openapi-operation spec="s" path="/p" method="get" %}\n{% endopenapi-operation %}',
    ['openapi-operation {"ref":{"kind":"openapi","spec":"s"},"path":"/p","method":"get"}'],
  ],
  [
    'schemas',
    '{% openapi-schemas spec="s" schemas="A,B" %}\n{% endopenapi-schemas %}',
    ['openapi-schemas {"ref":{"kind":"openapi","spec":"s"},"schemas":["A","B"]}'],
  ],
  [
    'a webhook',
    '{% openapi-webhook spec="s" name="n" method="post" %}\n{% endopenapi-webhook %}',
    ['openapi-webhook {"ref":{"kind":"openapi","spec":"s"},"name":"n","method":"post"}'],
  ],
  [
    'an operation by address',
    '{% swagger src="https://a.b" path="/p" method="get" %}\n{% endswagger %}',
    ['swagger {"ref":{"kind":"url","url":"https://a.b"},"path":"/p","method":"get"}'],
    '{% openapi src="https://a.b" path="/p" method="get" %}\n{% endopenapi %}',
  ],
  [
    'an integration',
    '{% @mermaid/diagram content="a b" %}',
    ['integration {"integration":"mermaid","block":"diagram","props":{"content":"a b"}}'],
  ],
  ['an image', '![a](b.png)', ['images', '  image {"ref":{"kind":"url","url":"b.png"},"alt":"a"}']],
  [
    'a figure',
    '<figure><img src="b.png" alt="" width="300"><figcaption>c</figcaption></figure>',
    [
      'images',
      '  image {"ref":{"kind":"url","url":"b.png"},"width":300}',
      '    :caption',
      '      paragraph',
      '        "c"',
    ],
  ],
  [
    'an image with a dark one',
    '<figure><picture><source srcset="d" media="(prefers-color-scheme: dark)"><img src="b" alt=""></picture></figure>',
    ['images', '  image {"ref":{"kind":"url","url":"b"},"refDark":{"kind":"url","url":"d"}}'],
  ],
  [
    'an image in an item',
    '* ![](b.png)',
    ['list-unordered', '  list-item', '    paragraph', '      inline-image {"ref":{"kind":"url","url":"b.png"}}'],
  ],
];

describe('blocks', () => {
  test.each(cases)('%s is read and printed', (_, markdown, expected, printed = markdown) => {
    const document = parse(markdown);
    expect(outline(document)).toEqual(expected);
    expectValid(document);
    expect(expectStable(document)).toBe(printed === '' ? '' : `${printed}\n`);
  });

  test('tags inside of HTML, of list items and of quotations are tags too', () => {
    const nested =
      '<details>\n<summary>a</summary>\n\n* b\n\n  {% hint style="info" %}\n  c\n  {% endhint %}\n\n</details>\n{% hint style="info" %}\nd\n{% endhint %}';
    expect(outline(parse(nested)).map((line) => line.trim().split(' ')[0])).toEqual([
      ...['expandable', ':expandable-title', 'paragraph', '"a"', ':expandable-body', 'list-unordered', 'list-item'],
      ...['paragraph', '"b"', 'hint', 'paragraph', '"c"', 'hint', 'paragraph', '"d"'],
    ]);
  });

  test('a block without a Markdown form comes back from its fence', () => {
    const markdown =
      '```stemma-block\n{"data":{"block":"b","integration":"i","props":{"n":1}},"isVoid":true,"object":"block","type":"integration"}\n```\n';
    expect(outline(parse(markdown))).toEqual(['integration {"integration":"i","block":"b","props":{"n":1}}']);
    expect(expectStable(parse(markdown))).toBe(markdown);
  });

  test('a fence that only looks like a stored block stays code', () => {
    expect(outline(parse('```stemma-block\n{"type":"updates"}\n```'))[0]).toBe('code {"syntax":"stemma-block"}');
  });
});
