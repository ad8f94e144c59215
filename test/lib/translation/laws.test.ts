import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assignAnchors } from '../../../src/lib/document/anchors.ts';
import type { JSONDocument } from '../../../src/lib/document/document.ts';
import { documentOf } from '../../../src/lib/document/empty.ts';
import { assignKeys, countedKeys, withoutKeys } from '../../../src/lib/document/keys.ts';
import { parseMarkdown } from '../../../src/lib/document/markdown/parse.ts';
import { normalizeDocument } from '../../../src/lib/document/normalize.ts';
import { walk } from '../../../src/lib/document/walk.ts';
import { checkTranslation } from '../../../src/lib/translation/check-translation.ts';
import { printTokens, readTokens } from '../../../src/lib/translation/coded-text.ts';
import { cutDocument, joinDocument, preserveAnchors } from '../../../src/lib/translation/cut-document.ts';
import { cutText, joinText } from '../../../src/lib/translation/cut-line.ts';
import { makeGlossary, protectTerms, restoreTerms, termsIn } from '../../../src/lib/translation/glossary.ts';
import { memoryKey } from '../../../src/lib/translation/memory-key.ts';
import { pseudoLocalize } from '../../../src/lib/translation/pseudo-localize.ts';
import { expectLinear } from '../../growth.ts';
import { anyBlocks } from '../document/arbitrary-document.ts';

const runs = { numRuns: 300 };
const languages = { from: 'en', to: 'de' };
const none = makeGlossary([]);

/** A document as it is stored: normalized, with keys and anchors. */
const stored = anyBlocks.map((nodes) => {
  const owned = structuredClone(normalizeDocument(documentOf(nodes)));
  assignKeys(owned, countedKeys());
  assignAnchors(owned);
  return owned;
});

const parsed = (markdown: string) => parseMarkdown(markdown, { nextKey: countedKeys() }).document;

const blockKeys = (document: JSONDocument) => {
  const keys: unknown[] = [];
  walk(document, (node) => node.object === 'block' && keys.push([node.type, node.key]));
  return keys;
};

const segmentsOf = (document: JSONDocument) =>
  cutDocument(document, 'en').flatMap(({ segments }) => segments.filter(({ isTranslatable }) => isTranslatable));

test('a document whose segments are put back is the same document', () => {
  fc.assert(
    fc.property(stored, (document) => {
      const back = joinDocument(
        document,
        { from: 'en', to: 'en' },
        { textFor: ({ text }) => text },
        countedKeys('new'),
      );
      expect(withoutKeys(back)).toEqual(withoutKeys(document));
      expect(blockKeys(back)).toEqual(blockKeys(document));
    }),
    runs,
  );
});

test('a document without texts for its segments stays the same object', () => {
  fc.assert(
    fc.property(
      stored,
      (document) => joinDocument(document, languages, { textFor: () => undefined }, countedKeys()) === document,
    ),
    runs,
  );
});

test('translated documents have the blocks and the segments of their source', () => {
  fc.assert(
    fc.property(stored, (document) => {
      const translated = joinDocument(
        document,
        languages,
        { textFor: ({ text }) => pseudoLocalize(text, none) },
        countedKeys('new'),
      );
      expect(blockKeys(translated)).toEqual(blockKeys(document));
      const lines = (given: JSONDocument) => cutDocument(given, 'en').map(({ name }) => name);
      expect(lines(translated)).toEqual(lines(document));
    }),
    runs,
  );
});

test('pseudo-localization keeps the placeholders of every segment, and marks it', () => {
  fc.assert(
    fc.property(stored, (document) => {
      for (const { text } of segmentsOf(document)) {
        const answer = checkTranslation(text, pseudoLocalize(text, none));
        expect(answer).toMatch(/^⟦.*⟧$/su);
      }
    }),
    runs,
  );
});

test('text that is cut into segments and joined again is the same text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (value) => joinText(cutText(value, 'en'), []) === value),
    runs,
  );
});

test('text with placeholders can be read and printed again', () => {
  const token = fc.oneof(
    fc.record({ kind: fc.constant('text' as const), value: fc.string({ minLength: 1 }) }),
    fc.record({ kind: fc.constantFrom('open' as const, 'close' as const, 'void' as const), number: fc.nat(99_999) }),
  );
  const tokens = fc
    .array(token)
    .map((all) => all.filter((each, i) => each.kind !== 'text' || all[i - 1]?.kind !== 'text'));
  fc.assert(
    fc.property(tokens, (given) => {
      expect(readTokens(printTokens(given))).toEqual(given);
    }),
    runs,
  );
});

test('an answer that drops, repeats or invents a placeholder is refused', () => {
  fc.assert(
    fc.property(stored, (document) => {
      for (const { text } of segmentsOf(document)) {
        expect(checkTranslation(text, text)).toBeDefined();
        expect(checkTranslation(text, `${text}<77777/>`)).toBeUndefined();
        const placeholder = /<\/?\d+\/?>/.exec(text)?.[0];
        if (placeholder) expect(checkTranslation(text, text.replace(placeholder, ''))).toBeUndefined();
      }
    }),
    runs,
  );
});

test.each([
  ['Click <1>Save</1>.', 'Klicken Sie auf <1>Speichern</1>.', 'Klicken Sie auf <1>Speichern</1>.'],
  ['Click <1>Save</1>.', '</1>Speichern<1>', undefined],
  ['One <1>two <2>three</2></1>.', 'Eins <1>zwei <2>drei</1></2>.', undefined],
  ['One line.', 'Eine\nZeile. ', 'Eine Zeile.'],
  ['One line.', '', undefined],
  ['One line.', 'x'.repeat(1_000), undefined],
  ['One line.', { text: 'Eine Zeile.' }, undefined],
  ['a &lt; b', 'a < b & c', 'a &lt; b &amp; c'],
])('%s answered with %s', (segment, answer, expected) => {
  expect(checkTranslation(segment, answer)).toBe(expected);
});

test('sentences, marks, links and code of a line become segments', async () => {
  const document = parsed(
    'Run `npm ci` first. Then read [the **guide** of Acme](https://example.com). See v2.1 of it! **Bold one. Bold two.** End.',
  );
  expect(segmentsOf(document).map(({ text }) => text)).toEqual([
    'Run <1/> first.',
    'Then read <1>the <2>guide</2> of Acme</1>.',
    'See v2.1 of it!',
    '<1>Bold one. Bold two.</1>',
    'End.',
  ]);
});

test('code is not cut, titles and alternative texts are', () => {
  const document = parsed(
    [
      '```js\nconst a = 1;\n```',
      '![An image](https://example.com/a.png)',
      '{% tabs %}\n{% tab title="First tab" %}\nText.\n{% endtab %}\n{% endtabs %}',
      '| Name | Note |\n|---|---|\n| A cell | 42 |',
    ].join('\n\n'),
  );
  expect(segmentsOf(document).map(({ text }) => text)).toEqual([
    'An image',
    'First tab',
    'Text.',
    'Name',
    'Note',
    'A cell',
  ]);
});

test('headings and tabs keep their anchors when they are translated', () => {
  const document = parsed(
    '## Getting started\n\n{% tabs %}\n{% tab title="On Linux" %}\nText.\n{% endtab %}\n{% endtabs %}',
  );
  const translated = joinDocument(preserveAnchors(document), languages, { textFor: () => 'Anders' }, countedKeys());
  const anchors: unknown[] = [];
  walk(translated, (node) => node.object === 'block' && anchors.push(node.meta?.id, ...(node.anchors ?? [])));
  expect(anchors).toContain('getting-started');
  expect(anchors).toContain('on-linux');
});

const words = fc.array(fc.constantFrom('Space', 'space', 'merge', 'request', 'merge request', 'a', 'of', '—', '42'), {
  minLength: 1,
  maxLength: 12,
});
const terms = fc.uniqueArray(
  fc.record({
    term: fc.constantFrom('space', 'merge', 'merge request', '42'),
    translation: fc.constantFrom('Bereich', 'X <&>', '合并'),
  }),
  { selector: ({ term }) => term },
);

test('protected terms that are restored have exactly their translations', () => {
  fc.assert(
    fc.property(words, terms, (given, list) => {
      const glossary = makeGlossary(list);
      const segment = given.join(' ');
      const { tokens, translations } = protectTerms(segment, glossary);
      const restored = printTokens(restoreTerms(tokens, translations));
      for (const { translation } of termsIn(segment, glossary)) {
        expect(restored).toContain(printTokens([{ kind: 'text', value: translation }]));
      }
      expect(termsIn(segment, makeGlossary([]))).toEqual([]);
    }),
    runs,
  );
});

test('the longest term is taken, whole words only, regardless of case', () => {
  const glossary = makeGlossary([
    { term: 'merge', translation: 'zusammenführen' },
    { term: 'merge request', translation: 'Merge-Request' },
    { term: '空间', translation: 'Bereich' },
  ]);
  expect(termsIn('A Merge Request, merged', glossary).map(({ term }) => term)).toEqual(['merge request']);
  expect(pseudoLocalize('A Merge Request', glossary)).toBe('⟦À Merge-Request⟧');
  expect(pseudoLocalize('在空间里', glossary)).toBe('⟦在Bereich里⟧');
});

test('the memory key changes with everything that a translation depends on, and with nothing else', () => {
  const question = { provider: 'a', instructions: '', segment: 'One.', terms: [], ...languages };
  const key = memoryKey(question);
  expect(memoryKey({ ...question })).toBe(key);
  const others = [
    { provider: 'b' },
    { instructions: 'Formal.' },
    { segment: 'Two.' },
    { terms: [{ term: 'one', translation: 'Eins' }] },
    { from: 'fr' },
    { to: 'fr' },
  ];
  expect(new Set([key, ...others.map((other) => memoryKey({ ...question, ...other }))]).size).toBe(7);
});

test('cutting, reading and finding terms takes linear time', async () => {
  const glossary = makeGlossary([{ term: 'a a a a b', translation: 'x' }]);
  await expectLinear(
    (text: string) => termsIn(text, glossary),
    (size) => 'a '.repeat(size),
    20_000,
  );
  await expectLinear(readTokens, (size) => '<1'.repeat(size), 50_000);
  await expectLinear(
    (text: string) => cutText(text, 'en'),
    (size) => 'A b. '.repeat(size),
    8_000,
  );
});
