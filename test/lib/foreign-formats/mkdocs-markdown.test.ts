import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseMarkdown } from '../../../src/lib/document/markdown/parse.ts';
import { printMarkdown } from '../../../src/lib/document/markdown/print.ts';
import { readMkdocsConfig } from '../../../src/lib/foreign-formats/mkdocs-config.ts';
import { ANY_SYNTAX, type MkdocsSyntax } from '../../../src/lib/foreign-formats/mkdocs-inline.ts';
import { readMkdocsMarkdown } from '../../../src/lib/foreign-formats/mkdocs-markdown.ts';
import { expectLinear } from '../../growth.ts';
import { lawRuns } from '../../how-thorough.ts';

const ARITHMATEX: MkdocsSyntax = { ...ANY_SYNTAX, dollars: 'round' };

const converted = (markdown: string, syntax: MkdocsSyntax = ANY_SYNTAX) => {
  const notes: string[] = [];
  const written = readMkdocsMarkdown(markdown, () => undefined, {
    syntax,
    note: (outcome, message) => notes.push(`${outcome}: ${message}`),
  });
  return { notes, markdown: printMarkdown(parseMarkdown(written).document) };
};

describe('formulas', () => {
  test.each([
    ['$\\sum_{i=1}^n i$', '$$\\sum_{i=1}^n i$$'],
    ['$\\mathbb{F}_p^\\times$ has order $a_{i}*b_{j}*c$.', '$$\\mathbb{F}_p^\\times$$ has order $$a_{i}*b_{j}*c$$.'],
    ['Either \\(x_{a=b}\\) or $y_{.c}$.', 'Either $$x_{a=b}$$ or $$y_{.c}$$.'],
    ['It costs $5 and $10, or \\$3.', 'It costs $5 and $10, or $3.'],
    ['Of $5-$10.', 'Of $5-$10.'],
    ['$$ E = mc^{2=2} $$', '$$\nE = mc^{2=2}\n$$'],
    ['$$\na_{i=1} \\\\\nb\n$$', '$$\na_{i=1} \\\\\nb\n$$'],
    ['\\[ a^{x=1} \\]', '$$\na^{x=1}\n$$'],
    ['\\begin{align}\na_{i=1}\n\\end{align}', '$$\n\\begin{align}\na_{i=1}\n\\end{align}\n$$'],
    ['| a |\n| - |\n| $x_{i=1}$ |', '| a |\n| --- |\n| $$x_{i=1}$$ |'],
    [
      '<figure><img src="a.png" alt=""><figcaption>At $x_{i=1}<2$.</figcaption></figure>',
      '<figure><img src="a.png" alt=""><figcaption>At <span class="math">x_{i=1}&lt;2</span>.</figcaption></figure>',
    ],
    ['Abs $|x|_{p=2}$ here.', 'Abs $$|x|_{p=2}$$ here.'],
  ])('%s is read where the project says so', (written, expected) => {
    expect(converted(written, ARITHMATEX).markdown.trim()).toBe(expected);
  });

  test('no attribute list is taken out of a formula, code or a macro', () => {
    const parts = ['\\frac{a}{b}', '_{i=1}', '{.x}', '{x=y}', '^n', '{#id}', 'a', '\\{:.b\\}'];
    const formula = fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 8 }).map((each) => each.join(''));
    const around = fc.constantFrom(
      ['$', '$'],
      ['$$', '$$'],
      ['`', '`'],
      ['\\(', '\\)'],
      ['```\n', '\n```'],
      ['    ', ''],
    );
    fc.assert(
      fc.property(
        formula,
        around,
        fc.constantFrom('literal' as const, 'round' as const),
        (inner, [open = '', close = ''], dollars) => {
          const written = readMkdocsMarkdown(`${open}${inner}${close}`, () => undefined, {
            syntax: { ...ANY_SYNTAX, dollars },
          });
          expect(written).toContain(inner);
        },
      ),
      { numRuns: lawRuns(100) },
    );
  });
});

test.each([
  ['[tabs](t.md){ .md-button }', '[tabs](t.md)'],
  ['![i](a.png){ width=300 align=left } x', '![i](a.png) x'],
  ['`code`{ .yaml } and **bold**{.red} and _it_{: .x}', '`code` and **bold** and _it_'],
  ['## Title { .cls }', '## Title'],
  ['## Title {#own .cls }', '## Title <a href="#own" id="own"></a>'],
  ['Text.\n{: .lead #lead }', '<a id="lead"></a>Text.'],
  ['[](){#here}Text.', '<a id="here"></a>Text.'],
  ['a {x=y} b {.c} d', 'a {x=y} b {.c} d'],
  ['{"a": {b=c}}', '{"a": {b=c}}'],
])('attributes belong to something: %s', (written, expected) => {
  expect(converted(written).markdown.trim()).toBe(expected);
});

test.each([
  ['H~2~O and 2^10^ cells', 'H<sub>2</sub>O and 2<sup>10</sup> cells'],
  ['~a~ ~b c', '<sub>a</sub> \\~b c'],
  ['==mark **b** `c`==', '<mark style="background-color:yellow;">mark **b** `c`</mark>'],
  ['a == b == c', 'a == b == c'],
  ['++ctrl+alt+del++', '<kbd>Ctrl</kbd>+<kbd>Alt</kbd>+<kbd>Del</kbd>'],
  ['C++ and D++', 'C++ and D++'],
  [
    '[^1][^2]\n\n[^1]: a\n[^2]: b',
    '[<sup>1</sup>](#user-content-fn-1)[^1][<sup>2</sup>](#user-content-fn-2)[^2]\n\n[^1]: a\n\n[^2]: b',
  ],
  [':material-check: done', '<i class="fa-check">:check:</i> done'],
  [':fontawesome-brands-github:{ .lg }', '<i class="fa-github">:github:</i>'],
  ['`#!python print` and `~x~`', '`print` and `~x~`'],
  ['    code ~x~ ==y==', '```\ncode ~x~ ==y==\n```'],
])('%s means what it means to PyMdown', (written, expected) => {
  expect(converted(written).markdown.trim()).toBe(expected);
});

test('without the extension, only short words after others are subscripts and superscripts', () => {
  const plain = { ...ANY_SYNTAX, tilde: false, caret: false };
  expect(converted('H~2~O, x^2^, ~/a:~/b', plain).markdown.trim()).toBe('H<sub>2</sub>O, x<sup>2</sup>, \\~/a:\\~/b');
});

test('a definition list is a list of its terms', () => {
  const list = '`One`\n:   First\n    lazy.\n\n    More.\n\nTwo\nToo\n\n:   Second.\n:   Third.\n\nText : not one.\n';
  expect(converted(list).markdown).toBe(
    '* **`One`**\n\n  First lazy.\n\n  More.\n\n* **Two**<br>**Too**\n\n  Second.\n\n  Third.\n\nText : not one.\n',
  );
});

test('the first mention of an abbreviation has its meaning', () => {
  const { markdown } = converted('# HTML\n\n`HTML` [HTML](a.md) HTML, HTML.\n\n*[HTML]: Hyper *Text*\n*[XML]: never\n');
  expect(markdown).toBe('# HTML\n\n`HTML` [HTML](a.md) [HTML](#user-content-fn-1)[^1], HTML.\n\n[^1]: Hyper _Text_\n');
});

test('titles keep their links and lose the icons of tabs', () => {
  const { markdown } = converted(
    '??? note "See [A](https://a.example/) and `b`"\n    In it.\n\n=== ":material-check: *Py*"\n\n    Here.\n',
  );
  expect(markdown).toContain('<summary>See <a href="https://a.example/">A</a> and <code>b</code></summary>');
  expect(markdown).toContain('{% tab title="Py" %}');
});

test('blocks between slashes have options and captions', () => {
  const { markdown } = converted(
    '/// admonition | Title\n    type: warning\n\nBody.\n///\n\n/// caption\nBelow.\n///\n',
  );
  expect(markdown).toBe('{% hint style="warning" %}\n**Title**\n\nBody.\n{% endhint %}\n\nBelow.\n');
});

test('what cannot be converted is noted once', () => {
  const { notes } = converted(
    ':material-abacus: :material-abacus:\n\n{{ version }}\n\n::: pkg.mod\n\n[=65% "65%"]\n\n^^under^^\n',
  );
  expect(new Set(notes)).toEqual(
    new Set([
      'dropped: The icon ":material-abacus:" was left out, because this service does not have it.',
      'kept: The macro "{{ version }}" was kept as text: nothing runs in an import.',
      'kept: "::: pkg.mod" was kept as text: documentation of code is not generated.',
      'kept: The progress bar "[=65% \\"65%\\"]" was kept as text.',
      'changed: Underlined text, ^^…^^, became plain text.',
    ]),
  );
});

test.each([
  ['markdown_extensions:\n  - pymdownx.arithmatex:\n      generic: true\n', 'round'],
  ['markdown_extensions: [toc]\nextra_javascript:\n  - https://cdn.example/katex/katex.min.js\n', 'round'],
  ['markdown_extensions: [toc, attr_list]\n', 'literal'],
  ['site_name: A\n', 'literal'],
])('dollars by the configuration %j', (yaml, dollars) => {
  expect(readMkdocsConfig(yaml, '')).toMatchObject({ syntax: { dollars } });
});

describe('takes linear time for', () => {
  test.each([
    '$a ',
    '$$a',
    '`a',
    '\\(a',
    '<!-- a',
    '<a "',
    '[a](b',
    '==a ',
    '++a+',
    '^a ',
    '~a ',
    '{: .a ',
    '*a{.b ',
    '# a {.b} ',
    'a\n:   b\n\n',
    '*[A]: b\n',
    '/// a | b\n',
    '<pre>\n',
    ':a-b',
  ])('%j', async (unit) => {
    await expectLinear(
      (text: string) => readMkdocsMarkdown(text, () => undefined, { syntax: ARITHMATEX }),
      (size) => unit.repeat(size),
      1_500,
    );
  });
});
