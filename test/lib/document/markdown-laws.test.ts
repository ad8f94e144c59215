import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentOf } from '../../../src/lib/document/empty.ts';
import { parseMarkdown } from '../../../src/lib/document/markdown/parse.ts';
import { printMarkdown } from '../../../src/lib/document/markdown/print.ts';
import { normalizeDocument } from '../../../src/lib/document/normalize.ts';
import { validateDocument } from '../../../src/lib/document/validate.ts';
import { lawRuns } from '../../how-thorough.ts';
import { anyBlocks } from './arbitrary-document.ts';
import { anyMarkdown, markedMarkdown } from './arbitrary-markdown.ts';
import { expectStable, expectValid, meaning, parse } from './markdown-round-trip.ts';

function checked(nodes: unknown[]) {
  const result = validateDocument({ object: 'document', data: {}, nodes });
  if ('issues' in result) throw new Error(JSON.stringify(result.issues));
  return result.document;
}

test('any document comes back from its Markdown in its normal form', () => {
  fc.assert(
    fc.property(anyBlocks, (nodes) => {
      const document = checked(nodes);
      const printed = printMarkdown(document);
      const again = parse(printed);
      expect(meaning(again)).toBe(meaning(normalizeDocument(document)));
      expect(printMarkdown(again)).toBe(printed);
    }),
    { numRuns: lawRuns(150) },
  );
});

test('the normal form of a normal form is itself', () => {
  fc.assert(
    fc.property(anyBlocks, (nodes) => {
      const normal = normalizeDocument(documentOf(checked(nodes).nodes));
      expect(meaning(normalizeDocument(normal))).toBe(meaning(normal));
    }),
    { numRuns: lawRuns(100) },
  );
});

test('any text is read as a valid document in normal form, which is stable', () => {
  fc.assert(
    fc.property(anyMarkdown, (markdown) => {
      const document = parse(markdown);
      expectValid(document);
      expect(meaning(normalizeDocument(document))).toBe(meaning(document));
      expectStable(document);
    }),
    { numRuns: lawRuns(150) },
  );
});

test('indented code before a footnote is kept', () => {
  expect(JSON.stringify(parse('\tfirst\n\n[^1]: second\n\nthird'))).toMatch(/"code".*first.*third.*second/);
});

test('no word of any text is lost unless it is reported', () => {
  fc.assert(
    fc.property(markedMarkdown, ({ markdown, words }) => {
      const { document, degradations } = parseMarkdown(markdown);
      const kept = JSON.stringify([document, degradations]);
      expect(words.filter((word) => !kept.includes(word))).toEqual([]);
    }),
    { numRuns: lawRuns(150) },
  );
});
