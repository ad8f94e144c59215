import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../../src/lib/canonical.ts';
import type { Block, JSONDocument } from '../../../src/lib/document/document.ts';
import { withoutKeys } from '../../../src/lib/document/keys.ts';
import { textOf } from '../../../src/lib/document/plain-text.ts';
import type { NewConflict, Resolution } from '../../../src/lib/merge/conflict.ts';
import { type ComparedDocuments, compareDocuments, mergeDocuments } from '../../../src/lib/merge/merge-documents.ts';
import { type MergedTexts, mergeTexts } from '../../../src/lib/merge/texts/merge-texts.ts';
import type { ThreeWay } from '../../../src/lib/merge/three-way.ts';
import { makeYielder } from '../../../src/lib/tick.ts';
import { lawRuns } from '../../how-thorough.ts';
import { linesOf } from './merging.ts';

type Lines = [key: string, value: string][];

const edit = fc.record({
  edit: fc.constantFrom('insert', 'insert', 'change', 'change', 'move', 'delete'),
  at: fc.nat(20),
  to: fc.nat(20),
});
const edits = fc.array(edit, { maxLength: 8 });

/** Edits lines. Every new text is unique, so that it can be found again. */
function edited(lines: Lines, list: { edit: string; at: number; to: number }[], author: string): Lines {
  const result: Lines = lines.map((line) => [...line]);
  list.forEach((each, index) => {
    const at = each.at % Math.max(result.length, 1);
    const text = `${author}${index}`;
    if (each.edit === 'insert' || result.length === 0) result.splice(at, 0, [text, `${text} inserted`]);
    else if (each.edit === 'change') result[at] = [result[at]?.[0] ?? '', `${text} changed`];
    else if (each.edit === 'delete') result.splice(at, 1);
    else result.splice(each.to % result.length, 0, ...result.splice(at, 1));
  });
  return result;
}

const stories = fc
  .record({ base: edits, ours: edits, theirs: edits, choices: fc.infiniteStream(fc.nat(2)) })
  .map((story) => {
    const base = edited([], story.base, 'b');
    return {
      base,
      ours: edited(base, story.ours, 'o'),
      theirs: edited(base, story.theirs, 't'),
      choices: story.choices,
    };
  });

const target = { type: 'page' as const, id: 'page_1' };

/** The texts of contested blocks, merged as they are printed. */
function textsOf({ versions: { base, ours, theirs }, contested }: ComparedDocuments): MergedTexts {
  if (!base || !ours || !theirs) return { blocks: [] };
  const written = { base: undefined, ours: undefined, theirs: undefined };
  return mergeTexts({ bodies: { base, ours, theirs }, written, keys: contested });
}

async function merge(
  versions: ThreeWay<JSONDocument | null>,
  resolve: (conflict: NewConflict) => Resolution | undefined = () => undefined,
): Promise<{ merged: JSONDocument | null; conflicts: NewConflict[] }> {
  const conflicts: NewConflict[] = [];
  const pause = makeYielder();
  const compared = await compareDocuments(versions, pause);
  const merged = await mergeDocuments(compared, textsOf(compared), {
    target,
    pause,
    resolve(conflict) {
      conflicts.push(conflict);
      return resolve(conflict);
    },
  });
  return { merged, conflicts };
}

const documents = ({ base, ours, theirs }: ThreeWay<Lines>) => ({
  base: linesOf(base),
  ours: linesOf(ours),
  theirs: linesOf(theirs),
});

const textsIn = (document: JSONDocument | null) => (document?.nodes ?? []).map(textOf);
const linesIn = (document: JSONDocument | null): Lines =>
  (document?.nodes ?? []).map((node) => [node.key ?? '', textOf(node)]);

const law = (name: string, check: (story: ThreeWay<Lines>, choices: Stream) => Promise<void>, cases = 1000) =>
  test(name, async () => {
    await fc.assert(
      fc.asyncProperty(stories, ({ choices, ...story }) => check(story, choices)),
      { numRuns: lawRuns(cases) },
    );
  });

type Stream = fc.Stream<number>;
const sides = ['ours', 'theirs', 'base'] as const;
const choosing = (choices: Stream) => (): Resolution => ({ choice: sides[choices.next().value ?? 0] ?? 'ours' });

law('changes of only one side are the result', async ({ base, ours }) => {
  const there = await merge(documents({ base, ours, theirs: base }));
  const back = await merge(documents({ base, ours: base, theirs: ours }));
  const alike = await merge(documents({ base, ours, theirs: ours }));
  for (const { merged, conflicts } of [there, back, alike]) {
    expect(linesIn(merged)).toEqual(ours);
    expect(conflicts).toEqual([]);
  }
});

law('swapping the sides swaps the sides of the conflicts, and gives the same blocks', async (story) => {
  const there = await merge(documents(story));
  const back = await merge(documents({ ...story, ours: story.theirs, theirs: story.ours }));
  const swapped = back.conflicts.map((conflict) => ({ ...conflict, ours: conflict.theirs, theirs: conflict.ours }));
  expect(swapped.map(canonicalJson).sort()).toEqual(there.conflicts.map(canonicalJson).sort());
  if (there.conflicts.length === 0) expect(textsIn(there.merged).sort()).toEqual(textsIn(back.merged).sort());
});

law('every block of the result comes from a version, and none occurs twice', async (story, choices) => {
  const { merged } = await merge(documents(story), choosing(choices));
  const written = new Set([...story.base, ...story.ours, ...story.theirs].map(([, text]) => text));
  const texts = textsIn(merged);
  for (const text of texts) expect(written.has(text)).toBe(true);
  const keys = linesIn(merged).map(([key]) => key);
  expect(new Set(keys).size).toBe(keys.length);
});

law(
  'every sentence of either side is there, unless it is in a conflict or the other side deleted it',
  async (story) => {
    const { merged, conflicts } = await merge(documents(story));
    const texts = new Set(textsIn(merged));
    const inConflict = new Set(conflicts.map(({ block }) => block));
    const before = new Map(story.base);
    for (const [side, other] of [
      [story.ours, story.theirs],
      [story.theirs, story.ours],
    ] as const) {
      for (const [key, text] of side) {
        const isWritten = before.get(key) !== text;
        const isLeft = other.some(([each]) => each === key);
        if (inConflict.has(key) || (!isWritten && !isLeft)) continue;
        if (isWritten || new Map(other).get(key) === text) expect(texts.has(text)).toBe(true);
      }
    }
  },
);

law('insertions of one side keep their order', async ({ base, ours, theirs }) => {
  const { merged } = await merge(documents({ base, ours, theirs }));
  const order = textsIn(merged);
  for (const side of [ours, theirs]) {
    const known = new Set(base.map(([key]) => key));
    side.forEach(([key, text], index) => {
      const [nextKey, next] = side[index + 1] ?? ['', ''];
      if (known.has(key) || next === '' || known.has(nextKey)) return;
      expect(order.indexOf(text)).toBeLessThan(order.indexOf(next));
    });
  }
});

law('resolved conflicts do not come back', async (story, choices) => {
  const { merged } = await merge(documents(story), choosing(choices));
  const theirs = linesOf([...story.theirs, ['later', 'later']]);
  const next = await merge({ base: linesOf(story.theirs), ours: merged, theirs });
  expect(next.conflicts).toEqual([]);
  expect(textsIn(next.merged).filter((text) => text !== 'later')).toEqual(textsIn(merged));
});

test('main comes first where both insert at one place', async () => {
  const base: Lines = [
    ['a', 'A'],
    ['b', 'B'],
  ];
  const ours: Lines = [
    ['a', 'A'],
    ['o', 'ours'],
    ['b', 'B'],
  ];
  const theirs: Lines = [
    ['a', 'A'],
    ['t', 'theirs'],
    ['b', 'B'],
  ];
  expect(textsIn((await merge(documents({ base, ours, theirs }))).merged)).toEqual(['A', 'theirs', 'ours', 'B']);
});

test('a block that one side edits and the other moves is edited and moved', async () => {
  const base: Lines = [
    ['a', 'A'],
    ['b', 'B'],
    ['c', 'C'],
  ];
  const ours: Lines = [
    ['a', 'A!'],
    ['b', 'B'],
    ['c', 'C'],
  ];
  const theirs: Lines = [
    ['b', 'B'],
    ['c', 'C'],
    ['a', 'A'],
  ];
  const { merged, conflicts } = await merge(documents({ base, ours, theirs }));
  expect([textsIn(merged), conflicts]).toEqual([['B', 'C', 'A!'], []]);
});

test('blocks that both insert under one key are two blocks when they differ, and one when they do not', async () => {
  const base: Lines = [['a', 'A']];
  const ours: Lines = [...base, ['x', 'ours'], ['y', 'same']];
  const theirs: Lines = [...base, ['x', 'theirs'], ['y', 'same']];
  const { merged } = await merge(documents({ base, ours, theirs }));
  expect(textsIn(merged)).toEqual(['A', 'theirs', 'ours', 'same']);
  expect(new Set(linesIn(merged).map(([key]) => key)).size).toBe(4);
});

test('adjacent blocks never conflict, the same one changed differently does', async () => {
  const base: Lines = [
    ['a', 'A'],
    ['b', 'B'],
  ];
  const adjacent = await merge(
    documents({
      base,
      ours: [
        ['a', 'A!'],
        ['b', 'B'],
      ],
      theirs: [
        ['a', 'A'],
        ['b', 'B!'],
      ],
    }),
  );
  expect([textsIn(adjacent.merged), adjacent.conflicts]).toEqual([['A!', 'B!'], []]);
  const same = await merge(
    documents({
      base,
      ours: [
        ['a', 'A!'],
        ['b', 'B'],
      ],
      theirs: [
        ['a', 'A?'],
        ['b', 'B'],
      ],
    }),
  );
  expect(same.conflicts).toMatchObject([{ kind: 'block', block: 'a', target }]);
  const deleted = await merge(
    documents({
      base,
      ours: [
        ['a', 'A!'],
        ['b', 'B'],
      ],
      theirs: [['b', 'B']],
    }),
  );
  expect(deleted.conflicts).toMatchObject([{ kind: 'deleted-vs-edited', block: 'a', theirs: null }]);
});

test('a replacement has the position and key of the block', async () => {
  const base: Lines = [
    ['a', 'A'],
    ['b', 'B'],
  ];
  const versions = documents({
    base,
    ours: [
      ['a', 'A ours'],
      ['b', 'B'],
    ],
    theirs: [
      ['a', 'A theirs'],
      ['b', 'B'],
    ],
  });
  const document = linesOf([
    ['x', 'A of both'],
    ['y', 'and more'],
  ]);
  const { merged } = await merge(versions, () => ({ document }));
  expect(textsIn(merged)).toEqual(['A of both', 'and more', 'B']);
  expect(linesIn(merged)[0]?.[0]).toBe('a');
});

test('a body that one side emptied and the other edited is a conflict of the edited blocks', async () => {
  const base: Lines = [
    ['a', 'A'],
    ['b', 'B'],
  ];
  const { conflicts } = await merge({
    base: linesOf(base),
    ours: null,
    theirs: linesOf([
      ['a', 'A'],
      ['b', 'B!'],
    ]),
  });
  expect(conflicts).toMatchObject([{ kind: 'deleted-vs-edited', block: 'b', ours: null }]);
});

test('differences only in keys and anchors are not changes', async () => {
  const base: Lines = [['a', 'A']];
  const rekeyed = (document: JSONDocument): JSONDocument => ({
    ...document,
    nodes: document.nodes.map((node): Block => ({ ...(withoutKeys(node) as Block), key: node.key, meta: { id: 'x' } })),
  });
  const ours = rekeyed(linesOf([['a', 'A!']]));
  const { merged, conflicts } = await merge({
    base: linesOf(base),
    ours,
    theirs: linesOf([
      ['a', 'A!'],
      ['b', 'B'],
    ]),
  });
  expect([textsIn(merged), conflicts]).toEqual([['A!', 'B'], []]);
});
