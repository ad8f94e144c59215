import fc from 'fast-check';
import type { RootContent } from 'mdast';
import { expect, test } from 'vitest';
import { withLineFeeds } from '../../../src/lib/document/markdown/entities.ts';
import { commonBlocks } from '../../../src/lib/document/markdown/fast-path/common-blocks.ts';
import { documentTree } from '../../../src/lib/document/markdown/read/document-tree.ts';
import { moveLines } from '../../../src/lib/document/markdown/read/move-lines.ts';
import { blockParts } from '../../../src/lib/document/markdown/read/segments.ts';
import { sourceLines } from '../../../src/lib/document/markdown/read/source-lines.ts';
import { syntaxTree } from '../../../src/lib/document/markdown/syntax/syntax-tree.ts';
import { expectLinear } from '../../growth.ts';
import { lawRuns } from '../../how-thorough.ts';
import { anyMarkdown } from './arbitrary-markdown.ts';

/** What readers of the tree use: everything but columns, except those of list items, and the ends of inline nodes. */
function essence(nodes: readonly RootContent[]): unknown {
  return nodes.map((node) => {
    const { position, ...rest } = node;
    const isBlock = /^(?:heading|code|html|blockTag|table|list|listItem|thematicBreak)$/.test(node.type);
    return {
      ...rest,
      line: position?.start.line,
      ...(isBlock && { end: position?.end.line }),
      ...(node.type === 'listItem' && { column: position?.start.column }),
      ...('children' in node && { children: essence(node.children as RootContent[]) }),
    };
  });
}

/** Compares each part that is read directly with the grammar. Returns how many are. */
function compare(text: string): number {
  let line = 0;
  let common = 0;
  for (const part of blockParts(sourceLines(text))) {
    const texts = part.map((each) => each.parsed ?? each.text);
    const read = commonBlocks(texts, line);
    if (read) {
      const nodes = syntaxTree(texts.join('\n'));
      moveLines(nodes, line);
      expect(essence(read), JSON.stringify(texts)).toEqual(essence(nodes));
      common += 1;
    }
    line += texts.length;
  }
  return common;
}

const sign = fc.constantFrom(
  ...'\\ ` * ** *** _ __ [ ] ( ) ![ ]( ](a) ](/a_b "t") ! < > & ~ $ $$ : :: | @ # - + = 1. 1) {% %} {{ }} ^ [x] [^1] \t'.split(
    ' ',
  ),
);
const piece = fc.constantFrom(
  ...[
    'a',
    'word',
    'ab1',
    '中文',
    '「',
    '$a*b$',
    '。',
    '，',
    '’',
    ' ',
    '  ',
    '\n',
    '.',
    ',',
    '\\_',
    '\\*',
    '\\|',
    '\\\n',
    '  \n',
    '&amp;',
    '&#x20;',
  ],
  ...[
    '`code`',
    '`a|b`',
    '** b **',
    '**b**',
    '*i*',
    '_i_',
    '[l](u)',
    '![i](u)',
    '<br>',
    '<a href="u">',
    '</a>',
    '<p>',
    ':smile:',
  ],
  ...['http://a.b', 'www.a.b', 'a@b.c', 'a_b', 'é', '\u00a0', '\u2028', '\u3000', '😀', '€'],
);
const inline = fc
  .array(fc.oneof({ arbitrary: piece, weight: 4 }, { arbitrary: sign, weight: 1 }), { maxLength: 12 })
  .map((parts) => parts.join(''));
const line = inline.map((text) => text.replaceAll('\n', ' '));
const start = fc.constantFrom(
  ...[
    '',
    '',
    '',
    '# ',
    '## ',
    '- ',
    '* ',
    '  - ',
    '  ',
    '    ',
    '1. ',
    '2) ',
    '   1. ',
    '- [ ] ',
    '* [x] ',
    '> ',
    '| ',
    '*   ',
  ],
  ...['```', '~~~', '```js', '<table>', '<p>', '</p>', '<pre>', '</pre>', '<!--', '-->', '{% hint %}', '{% endhint %}'],
  ...['---', '***', '|---|', '|:-|-:|', '| --- | --- |', '===', '$$', '[x]: ', '[^1]: '],
);
const end = fc.constantFrom('', '', '', '', ' |', ' |b|', ' #', '  ', '\\', ' ', '\t');
const document = fc
  .array(fc.tuple(start, line, end, fc.constantFrom('\n', '\n', '\n\n', '\n \n')), { minLength: 1, maxLength: 8 })
  .map((lines) => lines.flat().join(''));

test('what is read directly equals what the grammar reads', () => {
  let common = 0;
  fc.assert(
    fc.property(document, (text) => {
      common += compare(text);
    }),
    { numRuns: lawRuns(2_000) },
  );
  expect(common).toBeGreaterThan(150);
});

test('text in a paragraph, a heading, a cell and an item equals what the grammar reads', () => {
  let common = 0;
  fc.assert(
    fc.property(inline, line, (text, single) => {
      common += compare(
        `${text}\n\n# ${single}\n\n| ${single} | b |\n| - | :-: |\n| a | ${single} |\n\na\n\n* ${single}\n  * b\n`,
      );
    }),
    { numRuns: lawRuns(1_500) },
  );
  expect(common).toBeGreaterThan(500);
});

/** Compares a text that is read in parts with the grammar's reading of the whole. */
function compareWhole(text: string): void {
  const lines = sourceLines(withLineFeeds(text.replace(/^\ufeff/, '')).toWellFormed());
  const whole = syntaxTree(lines.map((each) => each.parsed ?? each.text).join('\n'));
  expect(essence(documentTree(text, () => {})), JSON.stringify(text)).toEqual(essence(whole));
}

/** Parts see what looks like a definition as one; formulas end with their container only in the grammar. */
const isReadInParts = (text: string) => !/\[x\]:|math %\}/.test(text);

test('a text that is read in parts equals what the grammar reads as a whole', () => {
  fc.assert(fc.property(anyMarkdown.filter(isReadInParts), compareWhole), { numRuns: lawRuns(500) });
});

test.each([
  ['indented code before a footnote', '\n    word\n\n[^1]: note\n\nother\n'],
  ['a fence after a tag that is text', '<code>*\n```\n\n\n{% tabs %}\n```\n'],
  ['a fence after a tag that may be HTML', '</b>\n```\n\n# a\n\n```\n'],
  ['a fence after a lone tag in a paragraph', 'a\n<b>\n```\n\n# a\n\n```\n'],
  ['a definition in a fence', '[a][b]\n~~~\n\n[b]: http://c\n'],
  ['HTML below what is no list', 'a\n* \n  <!--\n\n# b\n'],
  ['a fence indented less than the item before it', '1. a\n  ```\n# b\n\nc\n  ```\n'],
  ['brackets with a definition in another part', 'a [b] c [d]\n\n# e [f](g)\n\n[b]: http://h\n'],
  ['brackets without a definition', 'a [b] c [d [e](f) g]\n\n# [h] i\n\n| [] | [1] |\n| - | - |\n'],
  ['a byte order mark within', 'a\n\n\ufeffb\n'],
  ['a fence without a language', '``` \n```\n'],
  ['a fence whose language is a wide space', '~~~ \u00a0\n~~~\n'],
  ['a fence whose language has a line separator', '~~~ a\u2028 b\u2028c\n~~~\n'],
])('%s equals what the grammar reads as a whole', (_, text) => compareWhole(text));

test.each([
  ['emphasis', 'a **b** *c* '],
  ['emphasis without end', '**a '],
  ['links', '[a](b) '],
  ['links in emphasis', '**[a](b)** '],
  ['open brackets', 'a [ '],
  ['brackets', 'a [b] '],
  ['code', '`a` '],
  ['rows', '| a | b |\n'],
  ['items', '* a\n'],
  ['fences without end', '```\na\n'],
  ['HTML without end', '<!-- a\n'],
])('takes linear time for %s', async (_, unit) => {
  await expectLinear(
    (texts: string[]) => commonBlocks(texts, 0),
    (size) => unit.repeat(size).split('\n'),
    10_000,
  );
});
