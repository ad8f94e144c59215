import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseMarkdown } from '../../../src/lib/document/markdown/parse.ts';
import { printMarkdown } from '../../../src/lib/document/markdown/print.ts';
import { checkTranslation } from '../../../src/lib/translation/check-translation.ts';
import { joinDocument } from '../../../src/lib/translation/cut-document.ts';
import { cutText, joinText } from '../../../src/lib/translation/cut-line.ts';
import { makeGlossary } from '../../../src/lib/translation/glossary.ts';
import { pseudoLocalize } from '../../../src/lib/translation/pseudo-localize.ts';
import { readTmx } from '../../../src/lib/translation/tmx.ts';

const NO_TERMS = makeGlossary([]);

function pseudo(markdown: string): string {
  let keys = 0;
  const { document } = parseMarkdown(markdown);
  const textFor = ({ text }: { text: string }) => pseudoLocalize(text, NO_TERMS);
  return printMarkdown(joinDocument(document, { from: 'en', to: 'fr' }, { textFor }, () => `k${keys++}`)).trim();
}

const PLACEHOLDERS = [
  '{{ name }}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of shells
  '${HOME}',
  '$PATH',
  '%PATH%',
  '%s',
  '%1$d',
  '%.2f',
  '%(count)d',
  '%{count}',
  '{0}',
  '{user.name}',
  ':param',
  'https://example.com/a?b=c#d',
  'ada@example.com',
];

describe('the text of a segment', () => {
  test.each(PLACEHOLDERS)('has a placeholder for %s', (value) => {
    const [segment, ...others] = cutText(`Set ${value}, then go.`, 'en');
    expect([segment?.text, others.length]).toEqual(['Set <1/>, then go.', 0]);
    expect(joinText([segment ?? never()], ['Puis <1/>, va.'])).toBe(`Puis ${value}, va.`);
  });

  test.each(['50% discount', 'at 10:30', 'a % b', 'note: this', '{ a b }', 'costs $5', '100%'])(
    'keeps the words %s',
    (value) => {
      expect(cutText(`It is ${value} here.`, 'en').map(({ text }) => text)).toEqual([`It is ${value} here.`]);
    },
  );

  test('has no words of addresses that are links', () => {
    expect(pseudo('See <https://example.com/>, {{ name }}, `code` and [text](https://example.com/).')).toBe(
      '⟦Šéé <https://example.com/>, {{ name }}, `code` àñđ [ţéẋţ](https://example.com/).⟧',
    );
    expect(pseudo('<https://example.com/>')).toBe('<https://example.com/>');
  });
});

test('placeholders survive pseudo-localization in any text, as often and in their order', () => {
  const parts = fc.array(fc.constantFrom(...PLACEHOLDERS, 'word', 'other'), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(parts, (words) => {
      const text = words.join(' ');
      const segments = cutText(text, 'en');
      const translated = joinText(
        segments,
        segments.map((segment) => (segment.isTranslatable ? pseudoLocalize(segment.text, NO_TERMS) : undefined)),
      );
      expect(
        translated
          .replaceAll(/[⟦⟧]/g, '')
          .split(' ')
          .filter((word) => PLACEHOLDERS.join(' ').includes(word)),
      ).toEqual(text.split(' ').filter((word) => word !== 'word' && word !== 'other'));
    }),
  );
});

test.each([
  ['loses a placeholder', 'Hello <1/>', 'Bonjour'],
  ['spells one out', 'Hello <1/>', 'Bonjour {{ name }}'],
  ['doubles one', 'Hello <1/>', 'Bonjour <1/> <1/>'],
  ['doubles one in words', 'Hello <1/>', 'Bonjour <1/> {{ name }}'],
  ['changes one in its text', 'Hello {{ name }}', 'Bonjour {{ nom }}'],
  ['puts another in its place', '<1/> of <2/>', '<2/> sur <2/>'],
])('an answer that %s is not used', (_, segment, answer) => {
  expect(checkTranslation(segment, answer)).toBeUndefined();
});

test('variables in the texts of a translation memory are placeholders', async () => {
  const tmx = `<?xml version="1.0"?><tmx version="1.4"><header srclang="en"/><body>
    <tu><tuv xml:lang="en"><seg>Hello {{ name }}, see %s</seg></tuv><tuv xml:lang="fr"><seg>Voir %s, {{ name }}</seg></tuv></tu>
    <tu><tuv xml:lang="en"><seg>Hello {{ name }}</seg></tuv><tuv xml:lang="fr"><seg>Bonjour {{ nom }}</seg></tuv></tu>
    </body></tmx>`;
  const { pairs, faults } = await readTmx(Buffer.from(tmx), { from: 'en', to: 'fr' });
  expect(pairs).toMatchObject([{ source: 'Hello <1/>, see <2/>', target: 'Voir <2/>, <1/>' }]);
  expect(faults).toMatchObject([{ unit: '2' }]);
});

const never = (): never => {
  throw new Error('The text has no segment.');
};
