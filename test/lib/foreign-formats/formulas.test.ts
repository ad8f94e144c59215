import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseMarkdown } from '../../../src/lib/document/markdown/parse.ts';
import { patchMarkdown } from '../../../src/lib/document/markdown/patch/patch-markdown.ts';
import { dollarsOf } from '../../../src/lib/foreign-formats/dollars-of.ts';
import { exchangeFormulas, withFormulas } from '../../../src/lib/foreign-formats/with-formulas.ts';
import { expectLinear } from '../../growth.ts';
import { lawRuns } from '../../how-thorough.ts';

test.each([
  ['book.toml', '[preprocessor.katex]\n', 'tight'],
  ['book.toml', '[output.html]\nmathjax-support = true\n', 'doubled'],
  ['book.toml', '[book]\ntitle = "A"\n', 'literal'],
  ['mkdocs.yml', 'markdown_extensions: [pymdownx.arithmatex]\n', 'round'],
  ['docusaurus.config.js', "import remarkMath from 'remark-math';", 'any'],
  ['docusaurus.config.ts', 'export default {}', 'literal'],
  ['docs/.vitepress/config.mts', 'export default { markdown: { math: true } }', 'tight'],
  ['docs.json', '{ "navigation": {} }', 'tight'],
] as const)('%s with %j reads dollars as %s', (path, text, dollars) => {
  expect(dollarsOf(path, text)).toBe(dollars);
});

test.each([
  ['tight', '$a_1$ and $5 or $6, `$x$`', '$$a_1$$ and $5 or $6, `$x$`'],
  ['any', '$ a $ b', '$$a$$ b'],
  ['doubled', '\\\\(a_{1}\\\\) and \\(b\\)', '$$a_{1}$$ and \\(b\\)'],
  ['literal', '$a_1$', '$a_1$'],
  ['tight', '```\n$a$\n```\n\n    $b$\n\n* c\n\n    $d$', '```\n$a$\n```\n\n    $b$\n\n* c\n\n    $$d$$'],
  ['tight', '$$ x $$', '$$\nx\n$$'],
  ['tight', '---\na: $x$\n---\n$x$', '---\na: $x$\n---\n$$x$$'],
  ['tight', '| a |\n| - |\n| $\\|x\\|$ |', '| a |\n| - |\n| <span class="math">\\\\\\|x\\\\\\|</span> |'],
] as const)('%s: %j', (dollars, written, expected) => {
  expect(withFormulas(written, dollars)).toBe(expected);
});

describe('an edit of a page of another generator', () => {
  const edited = (text: string, change: (json: string) => string, dollars: 'tight' | 'any' | 'doubled' = 'tight') => {
    const { markdown, back } = exchangeFormulas(text, dollars);
    const { document } = parseMarkdown(markdown);
    return back(patchMarkdown(markdown, JSON.parse(change(JSON.stringify(document)))));
  };

  test('leaves formulas as they were written', () => {
    const text =
      'Text.\n\n$\\mathbb{F}_p^\\times$ has order $a_{i}*b_{j} * c$, |$|x|$| and $$d$$.\n\n$$\nx_1\n$$\n\n| a |\n| - |\n| $y_1$ |\n';
    expect(edited(text, (json) => json.replaceAll('order', 'rank'))).toBe(text.replaceAll('order', 'rank'));
  });

  test('writes mathjax of mdBook with two backslashes', () => {
    const text = 'The \\\\(a_{1}*b_{2}\\\\) is good.\n';
    expect(edited(text, (json) => json.replace('good', 'fine'), 'doubled')).toBe(text.replace('good', 'fine'));
  });

  test('writes new formulas like the others', () => {
    expect(edited('The $a_{1}$.\n', (json) => json.replace('a_{1}', 'b_{2}'))).toBe('The $b_{2}$.\n');
  });
});

test('a page that is not edited stays, byte for byte', () => {
  const piece = fc.constantFrom(
    ...[
      '$',
      '$$',
      '$a_1$',
      '$$b$$',
      '\\\\(',
      '\\\\)',
      '\\$',
      '`',
      '```\n',
      '\n',
      '\r\n',
      '\n\n',
      '    ',
      '| a |',
      '\n| - |\n',
    ],
    ...['word', ' ', '*', '_', '<b>', '](u)', '[', '* ', '5'],
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 20 }).map((parts) => parts.join('')),
      fc.constantFrom('tight' as const, 'any' as const, 'doubled' as const, 'round' as const),
      (text, dollars) => {
        const { markdown, back } = exchangeFormulas(text, dollars);
        expect(back(markdown)).toBe(text);
        expect(markdown.split('\n')).toHaveLength(text.split('\n').length);
      },
    ),
    { numRuns: lawRuns(100) },
  );
});

describe('takes linear time for', () => {
  test.each(['$a ', '$a$ ', '$$a', '\\\\(a', '\\\\(a\\\\) ', '`a', '<a ', '```\n'])('%j', async (unit) => {
    await expectLinear(
      (text: string) => exchangeFormulas(text, 'doubled').back(`${text}x`),
      (size) => unit.repeat(size),
      1_500,
    );
  });
});
