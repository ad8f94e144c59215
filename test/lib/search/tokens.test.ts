import { expect, test } from 'vitest';
import { fold } from '../../../src/lib/search/fold.ts';
import { searchTokens } from '../../../src/lib/search/tokens.ts';

test.each([
  ['Hello, World!', ['hello', 'world']],
  ['snake_case kebab-case a/b.c', ['snake', 'case', 'kebab', 'case', 'a', 'b', 'c']],
  ['v2.4 №5', ['v2', '4', '5']],
  ['ＦＵＬＬ ﬁne', ['full', 'fine']],
  ['e\u0301te\u0301', ['été']],
  ['co\u00adoperate', ['cooperate']],
  ['GraphQLの使い方', ['graphql', 'の使い方']],
  ['ガイド・設定ー', ['ガイド', '設定ー']],
  ['문서를 저장', ['문서를', '저장']],
  ['การตั้งค่า', ['การตั้งค่า']],
  ['𠮷野家 𝒳', ['𠮷野家', 'x']],
  ['😀 --- ', []],
  ['½', ['12']],
  ['\ud800a\udc00', ['a']],
])('%s', (text, expected) => {
  expect(searchTokens(text).map((token) => token.text)).toEqual(expected);
});

test('tokens have positions', () => {
  const text = 'See ＡＢ: 設定 x.';
  expect(searchTokens(text).map(({ start, end, isRun }) => [text.slice(start, end), isRun])).toEqual([
    ['See', false],
    ['ＡＢ', false],
    ['設定', true],
    ['x', false],
  ]);
});

test('words are cut after 40 characters', () => {
  expect(searchTokens('x'.repeat(100_000)).map(({ text }) => text.length)).toEqual([40]);
  expect([...(searchTokens('ä'.repeat(100))[0]?.text ?? '')]).toHaveLength(40);
});

test.each([
  ['übersicht', 'ubersicht'],
  ['straße', 'strasse'],
  ['œuvre', 'oeuvre'],
  ['смартфонёй', 'смартфонеи'],
  ['σελίδας', 'σελιδασ'],
  ['가나', '가나'],
  ['plain', 'plain'],
])('%s is typed as %s', (word, folded) => {
  expect(fold(word)).toBe(folded);
});
