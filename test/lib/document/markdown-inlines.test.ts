import { describe, expect, test } from 'vitest';
import { expectStable, expectValid, parse } from './markdown-round-trip.ts';
import { outline } from './outline.ts';

const url = (address: string) => `{"ref":{"kind":"url","url":"${address}"}}`;

/** A line of Markdown, the outline of what is in its paragraph, and how it is printed when that differs. */
const cases: [name: string, markdown: string, line: string[], printed?: string][] = [
  ['marks', '**a** _b_ ~~c~~ `d`', ['"a"(bold) " " "b"(italic) " " "c"(strikethrough) " " "d"(code)']],
  [
    'marks in HTML',
    '<b>a</b><i>b</i><s>c</s><code>d</code>',
    ['"a"(bold) "b"(italic) "c"(strikethrough) "d"(code)'],
    '**a**_b_~~c~~`d`',
  ],
  ['keys and heights', '<kbd>a</kbd><sup>b</sup><sub>c</sub>', ['"a"(keyboard) "b"(superscript) "c"(subscript)']],
  [
    'colors',
    '<mark style="color:red;">a</mark><mark style="background-color:blue;">b</mark>',
    ['"a"(red/default) "b"(default/blue)'],
  ],
  ['marks in marks', '**a _b_**', ['"a "(bold) "b"(bold italic)']],
  ['a mark inside of a word', 'a**b**c*d*e', ['"a" "b"(bold) "c" "d"(italic) "e"']],
  ['marks in Chinese text', '这是*斜体*和**粗体**。', ['"这是" "斜体"(italic) "和" "粗体"(bold) "。"']],
  ['a mark that ends in a space', '<strong>a </strong>b', ['"a "(bold) "b"']],
  ['code with backticks', '``a`b``', ['"a`b"(code)']],
  ['code over two lines', '`npm install\nfoo`', ['"npm install foo"(code)'], '`npm install foo`'],
  [
    'code over two lines of which one is indented',
    '`npm install\n  foo`',
    ['"npm install foo"(code)'],
    '`npm install foo`',
  ],
  ['a line break', 'a\\\nb', ['"a\\nb"']],
  ['a soft line break', 'a\nb', ['"a b"'], 'a b'],
  ['a link', '[a **b**](c)', [`link ${url('c')}`, '  "a " "b"(bold)']],
  ['a link with spaces in its address', '[a](<b c>)', [`link ${url('b c')}`, '  "a"']],
  ['an autolink', '<https://a.b>', [`link ${url('https://a.b')}`, '  "https://a.b"']],
  ['a bare address', 'https://a.b', [`link ${url('https://a.b')}`, '  "https://a.b"'], '<https://a.b>'],
  ['a mail address', 'me@a.b', [`link ${url('mailto:me@a.b')}`, '  "me@a.b"'], '<me@a.b>'],
  ['a link by reference', '[a]\n\n[a]: b', [`link ${url('b')}`, '  "a"'], '[a](b)'],
  ['a linked image', '[![a](b)](c)', [`link ${url('c')}`, `  inline-image {"ref":{"kind":"url","url":"b"},"alt":"a"}`]],
  ['a mention', '[x](page:p "mention")', ['mention {"ref":{"kind":"page","page":"p"}}'], '[page:p](page:p "mention")'],
  [
    'an inline image',
    'a ![b](c "d")',
    ['"a "', 'inline-image {"ref":{"kind":"url","url":"c"},"alt":"b","caption":"d"}'],
    'a ![b](c "d")',
  ],
  ['an emoji', '🚀', ['emoji {"code":"1f680"}']],
  ['names of emoji within paths', 'std::x::y', ['"std::x::y"'], 'std:\\:x::y'],
  ['names of emoji within words', 'h:m:s urn:x:foo', ['"h:m:s urn:x:foo"'], 'h\\:m:s urn\\:x:foo'],
  ['an emoji by name', ':rocket: :nothing:', ['emoji {"code":"1f680"}', '" :nothing:"'], '🚀 :nothing:'],
  ['an icon', '<i class="fa-rocket">:rocket:</i>', ['icon {"icon":"rocket"}']],
  [
    'an icon of another set',
    '<i class="fa-solid fa-rocket"></i>',
    ['icon {"icon":"rocket"}'],
    '<i class="fa-rocket">:rocket:</i>',
  ],
  [
    'an expression',
    '<code class="expression">space.vars.a_b["c*d*"]</code>',
    ['expression {"expression":"space.vars.a_b[\\"c*d*\\"]"}'],
    '<code class="expression">space.vars.a_b\\["c\\*d\\*"]</code>',
  ],
  ['a formula', 'a $$b_c*d*$$', ['"a "', 'inline-math {"formula":"b_c*d*"}']],
  ['a formula with dollars', '<span class="math">\\$\\$</span>', ['inline-math {"formula":"$$"}']],
  [
    'a button',
    '<a class="button secondary" href="b" data-icon="bolt">a</a>',
    [`button {"label":"a","kind":"secondary","icon":"bolt","ref":{"kind":"url","url":"b"}}`],
    '<a href="b" class="button secondary" data-icon="bolt">a</a>',
  ],
  [
    'a button that asks',
    '<button class="button primary" data-action="ask" data-query="b">a</button>',
    ['button {"label":"a","kind":"primary","action":{"action":"ask","query":"b"}}'],
    '<button type="button" class="button primary" data-action="ask" data-query="b">a</button>',
  ],
  [
    'an annotation',
    '[a](#user-content-fn-1)[^1]\n\n[^1]: b',
    ['annotation', '  "a"', '  :annotation-body', '    paragraph', '      "b"'],
  ],
  [
    'a footnote',
    'a[^x]\n\n[^x]: b',
    ['"a"', 'annotation', '  "x"(superscript)', '  :annotation-body', '    paragraph', '      "b"'],
    'a[<sup>x</sup>](#user-content-fn-1)[^1]\n\n[^1]: b',
  ],
  ['unknown HTML', 'a <foo b="c">d</foo>', ['"a <foo b=\\"c\\">d</foo>"'], 'a \\<foo b="c">d\\</foo>'],
  ['HTML without meaning', '<u>a</u> <span>b</span>', ['"a b"'], 'a b'],
];

describe('lines of text', () => {
  test.each(cases)('%s is read and printed', (_, markdown, expected, printed = markdown) => {
    const document = parse(markdown);
    expect(outline(document)).toEqual(['paragraph', ...expected.map((line) => `  ${line}`)]);
    expectValid(document);
    expect(expectStable(document)).toBe(`${printed}\n`);
  });
});

const literal: [text: string, printed: string][] = [
  ['# a', '\\# a'],
  ['> a', '\\> a'],
  ['- a', '\\- a'],
  ['+ a', '\\+ a'],
  ['-5', '-5'],
  ['1. a', '1\\. a'],
  ['1984', '1984'],
  ['---', '\\---'],
  ['===', '\\==='],
  ['| a |', '| a |'],
  ['{% hint %}', '\\{% hint %}'],
  ['a {% hint %}', 'a {% hint %}'],
  ['```', '\\`\\`\\`'],
  ['$$', '\\$\\$'],
  ['$5 and 5$', '$5 and 5$'],
  ['*a*', '\\*a\\*'],
  ['5 * 3', '5 * 3'],
  ['_a_', '\\_a\\_'],
  ['a_b', 'a_b'],
  ['[a](b)', '\\[a](b)'],
  ['![a', '!\\[a'],
  ['<b>', '\\<b>'],
  ['1 < 2', '1 < 2'],
  ['&amp;', '\\&amp;'],
  ['a & b', 'a & b'],
  ['a\\', 'a\\\\'],
  ['C:\\dir', 'C:\\dir'],
  ['\\*', '\\\\\\*'],
  ['~a~', '\\~a\\~'],
  [':rocket:', '\\:rocket:'],
  ['https://a.b', 'https\\://a.b'],
  ['www.a.b', 'www\\.a.b'],
  ['me@a.b', 'me\\@a.b'],
  [' a ', '&#x20;a&#x20;'],
  ['a\n\nb', 'a<br>\\\nb'],
  ['a\n# b', 'a\\\n\\# b'],
  ['a\n', 'a<br>'],
];

describe('text that looks like Markdown', () => {
  test.each(literal)('%j is printed as %j and comes back', (text, printed) => {
    const leaf = { object: 'leaf' as const, text, marks: [] };
    const document = parse('x');
    document.nodes = [
      { object: 'block', type: 'paragraph', isVoid: false, data: {}, nodes: [{ object: 'text', leaves: [leaf] }] },
    ];
    expect(expectStable(document)).toBe(`${printed}\n`);
  });
});
