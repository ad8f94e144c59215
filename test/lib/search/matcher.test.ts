import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold } from '../../../src/lib/search/fold.ts';
import { type MatchedTerm, matcherOf } from '../../../src/lib/search/matcher.ts';
import { queryTerms } from '../../../src/lib/search/query-terms.ts';
import { wordParts } from '../../../src/lib/search/terms.ts';
import { searchTokens } from '../../../src/lib/search/tokens.ts';

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
    const [token = { text: written.toLowerCase(), isRun: false }] = searchTokens(written);
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
      const expected = searchTokens(written).filter(({ isRun, text: token, start, end }) => {
        if (isRun) return false;
        const begins = last.isPrefix && fold(token).startsWith(last.folded);
        return forms.has(token) || begins || wordParts(written.slice(start, end)).some((part) => forms.has(part));
      });
      const found = matcherOf([first, last])(written);
      const isRun = new Set(searchTokens(written).flatMap((token) => (token.isRun ? [token.start] : [])));
      const words = found.filter(
        ({ start }) =>
          !isRun.has(start) &&
          !searchTokens(written).some((token) => token.isRun && token.start <= start && start < token.end),
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

const marked = (query: string, written: string) => {
  const terms = queryTerms(query).map((each) => ({ ...each, forms: [each.text, ...each.variants], isPrefix: false }));
  return matcherOf(terms)(written).map(({ start, end }) => written.slice(start, end));
};

test.each([
  ['2.10', 'Since v2.10', ['v2', '10']],
  ['v2.10', 'Since 2.10', ['2', '10']],
  ['nodejs', 'The node.js, node. js and node.jsx', ['node.js']],
  ['js nodejs', 'node.js', ['node.js']],
  ['node.js', 'nodejs or node', ['nodejs', 'node']],
  ['email', 'By E-Mail.', ['E-Mail']],
])('"%s" marks in "%s" the words %j', (query, written, expected) => {
  expect(marked(query, written)).toEqual(expected);
});
