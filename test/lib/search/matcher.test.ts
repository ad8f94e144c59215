import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold } from '../../../src/lib/search/fold.ts';
import { type MatchedTerm, matcherOf } from '../../../src/lib/search/matcher.ts';
import { partsOf } from '../../../src/lib/search/terms.ts';
import { tokensOf } from '../../../src/lib/search/tokens.ts';

const word = fc.constantFrom(
  ...[
    'page',
    'Page',
    'pages',
    'pagination',
    'updatePage',
    'HTTPPage',
    'PAGE',
    'größe',
    'Grosse',
    'grösse',
    'öl',
    'e\u0301tat',
  ],
  ...[
    'état',
    'x1',
    '1x',
    'a1Page',
    'ﬁle',
    'file',
    'fi\u00adle',
    'Ｐage',
    '数据库',
    'データ',
    'pa',
    'zzz',
    'ſpage',
    'Kelvin',
  ],
);

const text = fc
  .array(fc.tuple(word, fc.constantFrom(' ', '-', '_', '. ', '')), { maxLength: 20 })
  .map((pairs) => pairs.flat().join(''));

const term = (isLast: boolean) =>
  word.map((written): MatchedTerm => {
    const [token = { text: written.toLowerCase(), isRun: false }] = tokensOf(written);
    return {
      ...token,
      folded: fold(token.text),
      forms: [token.text, fold(token.text)],
      isPrefix: isLast && !token.isRun,
    };
  });

test('the same words match as if all words of the text were compared', () => {
  fc.assert(
    fc.property(text, term(false), term(true), (written, first, last) => {
      const forms = new Map(
        [first, last]
          .flatMap((each, index) => (each.isRun ? [] : each.forms.map((form) => [form, index] as const)))
          .toReversed(),
      );
      const expected = tokensOf(written).filter(({ isRun, text: token, start, end }) => {
        if (isRun) return false;
        const begins = last.isPrefix && fold(token).startsWith(last.folded);
        return forms.has(token) || begins || partsOf(written.slice(start, end)).some((part) => forms.has(part));
      });
      const found = matcherOf([first, last])(written);
      const isRun = new Set(tokensOf(written).flatMap((token) => (token.isRun ? [token.start] : [])));
      const words = found.filter(
        ({ start }) =>
          !isRun.has(start) &&
          !tokensOf(written).some((token) => token.isRun && token.start <= start && start < token.end),
      );
      expect(words.map(({ start, end }) => [start, end])).toEqual(expected.map(({ start, end }) => [start, end]));
    }),
    { numRuns: 2_000 },
  );
});

test('a word in another case, a part in camel case and a beginning match', () => {
  const matcher = matcherOf([
    { text: 'page', folded: 'page', isRun: false, forms: ['page'], isPrefix: false },
    { text: 'grö', folded: 'gro', isRun: false, forms: ['grö'], isPrefix: true },
  ]);
  const written = 'A PAGE, updatePage and Größe, gros.';
  const found = matcher(written).map(({ start, end, term }) => [written.slice(start, end), term]);
  expect(found).toEqual([
    ['PAGE', 0],
    ['updatePage', 0],
    ['Größe', 1],
    ['gros', 1],
  ]);
});
