import { expect, test } from 'vitest';
import { excerptOf } from '../../../src/lib/search/excerpt.ts';
import { matcherOf } from '../../../src/lib/search/matcher.ts';

const word = (text: string, forms = [text]) => ({ text, folded: text, isRun: false, forms, isPrefix: false });
const run = (text: string) => ({ text, folded: text, isRun: true, forms: [], isPrefix: false });

const marked = (text: string, terms: Parameters<typeof matcherOf>[0]) =>
  excerptOf(text, matcherOf(terms)(text))
    .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
    .join('');

test('a short text is whole, on one line, with all matches', () => {
  expect(marked('Run it.\n\nIt is running; RUN.', [word('run', ['run', 'running'])])).toBe(
    '[Run] it. It is [running]; [RUN].',
  );
});

test('a long text is cut around the first match, between words', () => {
  const text = `${'before '.repeat(50)}here ${'after '.repeat(100)}`;
  const excerpt = marked(text, [word('here')]);
  expect(excerpt).toMatch(/^…before .*before \[here\] after .*after…$/);
  expect(excerpt.length).toBeLessThan(260);
});

test('a long text without spaces is cut between characters', () => {
  const text = '𠮷'.repeat(1_000);
  const excerpt = excerptOf(text, [{ start: 1_000, end: 1_002 }]);
  expect(excerpt.every((part) => part.text.isWellFormed())).toBe(true);
  expect(excerpt.map(({ text: part }) => part).join('').length).toBeLessThan(250);
});

test('without a match, a text is shown from its beginning', () => {
  expect(marked('word '.repeat(100), [])).toMatch(/^word .*word…$/);
});

test('a run is found within a run, and normalized ones as a whole', () => {
  expect(marked('サーバーの使い方', [run('使い')])).toBe('サーバーの[使い]方');
  expect(marked('ﾌｧｲﾙとｶﾞ', [run('ファイル')])).toBe('[ﾌｧｲﾙとｶﾞ]');
});

test('names in camel case match by their parts, and beginnings by folding', () => {
  expect(marked('call updateSpace now', [word('space')])).toBe('call [updateSpace] now');
  expect(marked('Übersichten', [{ ...word('ubers'), isPrefix: true }])).toBe('[Übersichten]');
});
