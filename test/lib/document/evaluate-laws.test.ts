import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dereference } from '../../../src/lib/document/dereference.ts';
import type { JSONDocument } from '../../../src/lib/document/document.ts';
import { evaluateDocument, isConditional, withoutHidden } from '../../../src/lib/document/evaluate-document.ts';
import { printMarkdown } from '../../../src/lib/document/markdown/print.ts';
import { validateDocument } from '../../../src/lib/document/validate.ts';
import { walk } from '../../../src/lib/document/walk.ts';
import type { ExpressionScope, Value } from '../../../src/lib/expression/expression.ts';
import { lawRuns } from '../../how-thorough.ts';
import { anyBlocks } from './arbitrary-document.ts';
import { expectValid, parse } from './markdown-round-trip.ts';

const SOURCES = [
  'space.vars.a',
  'space.vars.b',
  '!space.vars.b',
  'space.vars.gone',
  'visitor.claims.x',
  '1 +',
  '"*x* <b> {% if %}"',
];
const scope: ExpressionScope = new Map([
  [
    'space',
    new Map([
      [
        'vars',
        new Map<string, Value>([
          ['a', 'one\ntwo'],
          ['b', true],
        ]),
      ],
    ]),
  ],
]);

/** Documents whose expressions are some that have a value, and some that have none. */
const documents: fc.Arbitrary<JSONDocument> = anyBlocks.map((nodes) => {
  let count = 0;
  const known = (name: string, value: unknown) => (name === 'expression' ? SOURCES[count++ % SOURCES.length] : value);
  return checked(JSON.parse(JSON.stringify(nodes), known));
});

function checked(nodes: unknown[]): JSONDocument {
  const result = validateDocument({ object: 'document', data: {}, nodes });
  if ('issues' in result) throw new Error(JSON.stringify(result.issues));
  return result.document;
}

/** Checks that a document is valid, and that each of its nodes has a key of its own. */
function expectComplete(document: JSONDocument): void {
  expectValid(document);
  const keys: (string | undefined)[] = [];
  walk(document, (node) => keys.push(node.key));
  expect(keys).not.toContain(undefined);
  expect(new Set(keys).size).toBe(keys.length);
}

const expressionsIn = (document: JSONDocument): string[] => {
  const found: string[] = [];
  walk(document, (node) => {
    if (node.object === 'inline' && node.type === 'expression') found.push(node.data.expression);
    if (node.object === 'block' && node.type === 'if') found.push(node.data.expression);
  });
  return found;
};

test('evaluation returns a valid, printable document without remaining expressions', () => {
  fc.assert(
    fc.property(documents, (document) => {
      const shown = evaluateDocument(document, scope);
      expectComplete(shown);
      expect(evaluateDocument(shown, scope)).toBe(shown);
      const left = new Set(expressionsIn(shown));
      for (const source of SOURCES.filter((each) => !/gone|visitor|\+$/.test(each))) expect(left).not.toContain(source);
      expect(printMarkdown(parse(printMarkdown(shown)))).toBe(printMarkdown(shown));
    }),
    { numRuns: lawRuns(150) },
  );
});

test('a document without its hidden blocks is valid and printable', () => {
  fc.assert(
    fc.property(documents, (document) => {
      const shown = withoutHidden(document, scope);
      expectComplete(shown);
      expect(isConditional(shown)).toBe(false);
      expect(printMarkdown(parse(printMarkdown(shown)))).toBe(printMarkdown(shown));
    }),
    { numRuns: lawRuns(100) },
  );
});

test('without values the document is returned as the same object', () => {
  const nameless = documents.filter((document) => !expressionsIn(document).some((source) => source.startsWith('"')));
  fc.assert(
    fc.property(nameless, (document) => {
      expect(evaluateDocument(document, new Map())).toBe(document);
    }),
    { numRuns: lawRuns(50) },
  );
});

test('contents take the place of all references to them, and can be printed, whatever they hold and wherever they stand', async () => {
  await fc.assert(
    fc.asyncProperty(documents, documents, async (document, content) => {
      const shown = await dereference(document, async (refs) => refs.map(() => content));
      expectComplete(shown);
      expect(printMarkdown(shown)).toEqual(expect.any(String));
      if (referencesIn(document) === 0) expect(shown).toBe(document);
      else if (referencesIn(content) === 0) expect(referencesIn(shown)).toBe(0);
    }),
    { numRuns: lawRuns(100) },
  );
});

function referencesIn(document: JSONDocument): number {
  let count = 0;
  walk(document, (node) => {
    if ('type' in node && node.type === 'reusable-content') count++;
  });
  return count;
}
