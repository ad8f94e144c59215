import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { expect, test } from 'vitest';
import { syntaxTree } from '../../../src/lib/document/markdown/syntax/syntax-tree.ts';

const parts = [
  'http',
  'HTTPS',
  '://',
  'www.',
  'WwW',
  '.',
  'a',
  'b.co',
  '@',
  ' ',
  '-',
  '_',
  '+',
  '/',
  '(',
  '\n',
  '<',
  '>',
];

/** The tokenizer of GFM with all its extensions. */
const reference = (markdown: string) =>
  fromMarkdown(markdown, {
    extensions: [gfm()],
    mdastExtensions: gfmFromMarkdown().map(({ transforms: _, ...rest }) => rest),
  }).children;

test('finds the URLs and e-mail addresses that GFM finds in any text', () => {
  let links = 0;
  const text = fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map((words) => words.join(''));
  fc.assert(
    fc.property(text, (markdown) => {
      const expected = reference(markdown);
      if (JSON.stringify(expected).includes('"link"')) links++;
      expect(syntaxTree(markdown)).toEqual(expected);
    }),
    { numRuns: 3_000 },
  );
  expect(links).toBeGreaterThan(50);
});

test.each(['https://a.example/b', 'HTTP://a.example', 'www.a.example', 'WWW.a.example', 'mail a.b+c@d.example now'])(
  '%s is a link',
  (markdown) => expect(JSON.stringify(syntaxTree(markdown))).toContain('"type":"link"'),
);
