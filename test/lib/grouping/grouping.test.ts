import fc from 'fast-check';
import { expect, test } from 'vitest';
import { continuedGroups } from '../../../src/lib/grouping/continued-groups.ts';
import { group } from '../../../src/lib/grouping/group.ts';
import { labelOf, phraseFrequencies } from '../../../src/lib/grouping/label.ts';
import { languageOf } from '../../../src/lib/grouping/language.ts';
import { averageLinkage } from '../../../src/lib/grouping/linkage.ts';
import { questionOf } from '../../../src/lib/grouping/question.ts';
import { randomFrom } from '../../../src/lib/grouping/random.ts';
import { type Counted, Frequencies, featureCounts, Nearest } from '../../../src/lib/grouping/vectors.ts';
import { expectLinear } from '../../growth.ts';

const documentsOf = (topics: readonly (readonly string[])[]): Counted[] =>
  topics.map((terms) => ({ counts: featureCounts(terms), language: 'en' }));

const vectorsOf = (documents: readonly Counted[]) => {
  const frequencies = Frequencies.of(documents);
  return documents.map((document) => frequencies.vectorOf(document));
};

const word = fc.stringMatching(/^[a-z]{3,9}$/);
const document = fc.array(word, { maxLength: 8 });

test('vectors have length 1 or no features, and are most similar to themselves', () => {
  fc.assert(
    fc.property(fc.array(document, { minLength: 2, maxLength: 20 }), (topics) => {
      const vectors = vectorsOf(documentsOf(topics));
      const nearest = new Nearest(vectors);
      for (const vector of vectors) {
        if (vector.buckets.length === 0) continue;
        expect(Math.hypot(...vector.weights)).toBeCloseTo(1);
        expect(nearest.best(vector)?.similarity).toBeCloseTo(1);
      }
    }),
    { numRuns: 50 },
  );
});

test('each document is in one group at most, groups have two or more, and the same documents give the same groups', () => {
  fc.assert(
    fc.property(fc.array(document, { maxLength: 50 }), (topics) => {
      const vectors = vectorsOf(documentsOf(topics));
      const groups = group(vectors);
      const members = groups.flat();
      expect(new Set(members).size).toBe(members.length);
      expect(groups.every((each) => each.length > 1)).toBe(true);
      expect(group(vectors)).toEqual(groups);
    }),
    { numRuns: 25 },
  );
});

test('frequencies are the same after they were stored', () => {
  fc.assert(
    fc.property(fc.array(document, { minLength: 1, maxLength: 20 }), (topics) => {
      const documents = documentsOf(topics);
      const [fresh, stored] = [Frequencies.of(documents), Frequencies.of([], Frequencies.of(documents).stored())];
      for (const each of documents) expect(stored.vectorOf(each)).toEqual(fresh.vectorOf(each));
    }),
    { numRuns: 50 },
  );
});

const TOPICS = [
  ['invoice', 'vat', 'number', 'wrong'],
  ['password', 'reset', 'email', 'link'],
  ['pdf', 'export', 'image', 'missing'],
];

test.each([
  [6, 2_000],
  [60, 2_000],
  [300, 90],
])('%i documents on three topics are in groups of one topic, at most %i of them compared at once', (count, sample) => {
  const topics = Array.from({ length: count }, (_, index) => TOPICS[index % 3]?.toSpliced(index % 4, 1) ?? []);
  const groups = group(vectorsOf(documentsOf(topics)), { maxSample: sample });
  expect(groups.map((members) => new Set(members.map((member) => member % 3)).size)).toEqual(groups.map(() => 1));
  expect(groups.flat()).toHaveLength(count);
  // There are twelve different documents.
  expect(groups.length).toBeLessThanOrEqual(12);
});

test.each([10, 40, 100])('%i questions that are asked twice are as many groups', (count) => {
  const random = randomFrom(count);
  const wordAt = () => Array.from({ length: 8 }, () => String.fromCharCode(97 + Math.floor(random() * 26))).join('');
  const topics = Array.from({ length: count }, () => [wordAt(), wordAt(), wordAt()]);
  const groups = group(vectorsOf(documentsOf([...topics, ...topics])));
  expect(groups.map((members) => members.toSorted((a, b) => a - b)).toSorted(([a = 0], [b = 0]) => a - b)).toEqual(
    topics.map((_, index) => [index, count + index]),
  );
});

test('of many questions that are asked twice, only some pairs are found where few are compared at once', () => {
  const [count, random] = [500, randomFrom(1)];
  const wordAt = () => Array.from({ length: 8 }, () => String.fromCharCode(97 + Math.floor(random() * 26))).join('');
  const topics = Array.from({ length: count }, () => [wordAt(), wordAt(), wordAt()]);
  const shuffled = [...topics, ...topics]
    .map((topic) => ({ topic, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ topic }) => topic);
  const groups = group(vectorsOf(documentsOf(shuffled)), { maxSample: 100 });
  const pairs = groups.filter((members) => new Set(members.map((member) => shuffled[member])).size === 1);
  // To find them all takes a number of rounds that grows with the square of the number of questions.
  expect(pairs.length).toBeGreaterThan(count / 10);
  expect(pairs.length).toBeLessThan(count / 2);
});

/** Merges the most similar pair of groups until none is similar enough. */
function naive(similarities: number[][], threshold: number): string[] {
  let groups = similarities.map((_, item) => [item]);
  for (;;) {
    const pairs = groups.flatMap((a, index) => groups.slice(index + 1).map((b) => [a, b] as const));
    const mean = (a: number[], b: number[]) =>
      a.reduce((sum, x) => sum + b.reduce((inner, y) => inner + (similarities[x]?.[y] ?? 0), 0), 0) /
      (a.length * b.length);
    const [best] = pairs.map(([a, b]) => ({ a, b, mean: mean(a, b) })).toSorted((x, y) => y.mean - x.mean);
    if (!best || best.mean < threshold) return groups.map((each) => each.toSorted((x, y) => x - y).join()).toSorted();
    groups = [...groups.filter((each) => each !== best.a && each !== best.b), [...best.a, ...best.b]];
  }
}

test('average linkage merges as the definition says, where no two similarities are equal', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.nat(), (count, seed) => {
      const random = randomFrom(seed);
      const values = Array.from({ length: 81 }, () => Math.fround(random()));
      const rows = Array.from({ length: count }, (_, row) =>
        Array.from({ length: count }, (_, column) => values[Math.min(row, column) * 9 + Math.max(row, column)] ?? 0),
      );
      const labels = averageLinkage({ count, at: Float32Array.from(rows.flat()) }, 0.5);
      const groups = [...Map.groupBy(labels.keys(), (item) => labels[item]).values()];
      expect(groups.map((each) => each.join()).toSorted()).toEqual(naive(rows, 0.5));
    }),
    { numRuns: 300 },
  );
});

test('a group keeps the id of the earlier group that it shares most with, and each id is kept once', () => {
  expect(continuedGroups([['a', 'a', 'b'], ['b', 'b', null], [null]])).toEqual(['a', 'b', null]);
  expect(continuedGroups([['a', 'a'], ['a']])).toEqual(['a', null]);
  expect(
    continuedGroups([
      ['a', 'b', 'c', 'd', 'd'],
      ['d', 'd', 'd'],
      ['a', 'b', 'c'],
    ]),
  ).toEqual([null, 'd', null]);
});

test('a label has the phrases that are frequent in the group and rare elsewhere', () => {
  const texts = ['cancel my subscription now', 'how to cancel the subscription', 'the invoice is wrong now'];
  const all = texts.map((text) => ({ terms: text.split(' '), words: text.split(' ') }));
  const { text, words } = labelOf(all.slice(0, 2), phraseFrequencies(all), 3);
  expect(text).toContain('cancel');
  expect(text).not.toContain('invoice');
  expect(words).toContain('subscription');
});

test.each([
  ['How do I change the address on my invoice?', 'en'],
  ['Wie kann ich die Adresse auf meiner Rechnung ändern?', 'de'],
  ["Comment puis-je changer l'adresse sur ma facture, s'il vous plaît ?", 'fr'],
  ['¿Cómo puedo cambiar la dirección de mi factura?', 'es'],
  ['請求書の住所を変更するにはどうすればよいですか。', 'ja'],
  ['Как изменить адрес в счёте?', 'ru'],
  ['ok', null],
])('%s is in the language %s', (text, language) => {
  expect(languageOf(text)).toBe(language);
});

test('a question is the subject and the messages without tags, quotations and addresses', () => {
  const message =
    '> On Monday you wrote\n<p>Hello,<br>how do I <b>invite</b> people?</p> See https://example.com/x\n```\n';
  expect(questionOf(null, [message])).toEqual({
    title: 'Hello, how do I invite people?',
    summary: 'Hello, how do I invite people? See',
    text: 'Hello, how do I invite people? See',
  });
  expect(questionOf('Invitations', ['Where?'])).toEqual({
    title: 'Invitations',
    summary: 'Where?',
    text: 'Invitations\nWhere?',
  });
  expect(questionOf(null, ['x'.repeat(5_000)]).title).toHaveLength(100);
});

test.each(['<', '<a ', '<a>', '> ', '\n', '&lt;', 'https://', '```', 'é ', '日本'])(
  'questions, languages and terms take linear time on repetitions of %j',
  (part) =>
    expectLinear(
      (text: string) => [questionOf(text, [text]), languageOf(text)],
      (size) => part.repeat(size),
      20_000,
    ),
);
