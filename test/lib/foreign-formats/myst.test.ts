import { describe, expect, test } from 'vitest';
import { parseMarkdown } from '../../../src/lib/document/markdown/parse.ts';
import { printMarkdown } from '../../../src/lib/document/markdown/print.ts';
import { mayBeMyst, readMyst } from '../../../src/lib/foreign-formats/myst.ts';
import { finderByName, readNamedLinks } from '../../../src/lib/foreign-formats/named-links.ts';
import { expectLinear } from '../../growth.ts';

const converted = (myst: string) => {
  const notes: string[] = [];
  const markdown = readMyst(myst, (outcome, message, line) => notes.push(`${line} ${outcome}: ${message}`));
  return { markdown: printMarkdown(parseMarkdown(markdown).document), notes };
};

test.each([
  ['```{note}\nA **b**.\n```', '{% hint style="info" %}\nA **b**.\n{% endhint %}\n'],
  [
    ':::{warning} Title\n:class: x\n\nBody.\n\n```{code-block} python\n:caption: a.py\n\nprint(1)\n```\n:::',
    '{% hint style="warning" %}\n**Title**\n\nBody.\n\n{% code title="a.py" %}\n```python\nprint(1)\n```\n{% endcode %}\n{% endhint %}\n',
  ],
  [
    '```{dropdown} More `x`\nIn it.\n```',
    '<details>\n\n<summary>More <code>x</code></summary>\n\nIn it.\n\n</details>\n',
  ],
  ['```{math}\na_1\n```', '$$\na_1\n$$\n'],
  ['```{figure} a.png\n:alt: A\n\nCaption.\n```', '![A](a.png)\n\nCaption.\n'],
  ['(here)=\n# Title', '# Title <a href="#here" id="here"></a>\n'],
  ['{math}`x_1`, {sub}`2`, {kbd}`Ctrl`', '$$x_1$$, <sub>2</sub>, <kbd>Ctrl</kbd>\n'],
  ['{doc}`Guide <guide/a>` {ref}`b`', '[Guide](guide/a.md) [b](#b)\n'],
  ['```python\nx = {note}\n```', '```python\nx = {note}\n```\n'],
])('%j', (myst, markdown) => {
  expect(converted(myst)).toEqual({ markdown, notes: [] });
});

test('what has no counterpart is kept and noted with its line', () => {
  const { markdown, notes } = converted('Text.\n\n```{bibliography} a.bib\n```\n\n{odd}`t`\n\n.. autoclass:: a.B\n');
  expect(markdown).toBe('Text.\n\n```\n{bibliography} a.bib\n```\n\n{odd}`t`\n\n.. autoclass:: a.B\n');
  expect(notes).toEqual([
    '3 kept: The directive "{bibliography}" was kept as code: it has no counterpart here.',
    '6 kept: The role "{odd}" was kept as text: it has no counterpart here.',
    '8 kept: The directive ".. autoclass::" of reStructuredText was kept as text.',
  ]);
});

test.each([
  ['```js {1,3}\na\n```', false],
  ['A {b} `c`.', false],
  ['```{note}\na\n```', true],
  ['.. note:: a', true],
])('%j may be MyST: %s', (text, expected) => {
  expect(mayBeMyst(text)).toBe(expected);
});

describe('links by name', () => {
  const find = finderByName(['a/My Page.md', 'img/x.png', 'b.md']);

  test.each([
    ['[[My Page]]', '[My Page](</a/My Page.md>)'],
    ['[[my-page#Some Part|there]]', '[there](</a/My Page.md#some-part>)'],
    ['[[text|b]]', '[text](</b.md>)'],
    ['![[x.png]] and ![[x.png|An x]]', '![](</img/x.png>) and ![An x](</img/x.png>)'],
    ['[[Nope]] and `[[b]]`', '[[Nope]] and `[[b]]`'],
    ['```\n[[b]]\n```', '```\n[[b]]\n```'],
  ])('%s', (written, expected) => {
    expect(readNamedLinks(written, find)).toBe(expected);
  });
});

describe('takes linear time for', () => {
  test.each(['```{note}\n', ':::{note} a\n:a: b\n', '{a}`b` ', '(a)=\n', '[[a|b', '{a}`b'])('%j', async (unit) => {
    const find = finderByName(['a.md']);
    await expectLinear(
      (text: string) =>
        readNamedLinks(
          readMyst(text, () => {}),
          find,
        ),
      (size) => unit.repeat(size),
      1_500,
    );
  });
});
