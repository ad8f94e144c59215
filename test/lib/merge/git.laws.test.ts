import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { alignKeys } from '../../../src/lib/document/align-keys.ts';
import type { JSONDocument } from '../../../src/lib/document/document.ts';
import { countedKeys } from '../../../src/lib/document/keys.ts';
import { IN_PAGES } from '../../../src/lib/document/markdown/forms.ts';
import { printMarkdown } from '../../../src/lib/document/markdown/print.ts';
import type { NewConflict } from '../../../src/lib/merge/conflict.ts';
import { compareDocuments, mergeDocuments } from '../../../src/lib/merge/merge-documents.ts';
import { mergeTexts } from '../../../src/lib/merge/texts/merge-texts.ts';
import { mapThreeWay, type ThreeWay } from '../../../src/lib/merge/three-way.ts';
import { mergeLines } from '../../../src/lib/merge-lines.ts';
import { makeYielder } from '../../../src/lib/tick.ts';
import { lawRuns } from '../../how-thorough.ts';
import { temporaryDirectory } from '../../temporary-directory.ts';
import { parse } from '../document/markdown-round-trip.ts';
import { anyPage, lineEdits, withLineEdits } from './arbitrary-page.ts';

const folder = mkdtempSync(join(temporaryDirectory(), 'stemma-merge-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hasGit = spawnSync('git', ['--version']).status === 0;

/** The outcome of `git merge-file`; undefined if it has conflicts. */
function gitMerge(texts: ThreeWay<string>): string | undefined {
  const path = mapThreeWay(texts, (_, side) => join(folder, side));
  for (const side of ['base', 'ours', 'theirs'] as const) writeFileSync(path[side], texts[side]);
  const args = ['merge-file', '-p', '--quiet', path.ours, path.base, path.theirs];
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' });
  if (status === null || status < 0 || status > 127) throw new Error('git merge-file failed.');
  return status === 0 ? stdout : undefined;
}

/** Merges texts as bodies are merged that were written as them. `isWritten` is false for bodies without a text. */
async function merge(texts: ThreeWay<string>, isWritten: boolean) {
  const base = parse(texts.base, IN_PAGES);
  const sideOf = (name: 'ours' | 'theirs') => alignKeys(base, parse(texts[name], IN_PAGES), countedKeys(name));
  const bodies = { base, ours: sideOf('ours'), theirs: sideOf('theirs') };
  const pause = makeYielder();
  const compared = await compareDocuments(bodies, pause);
  const written = mapThreeWay(texts, (body) => (isWritten ? { body, links: {}, isExact: true } : undefined));
  const merged = mergeTexts({ bodies, written, keys: compared.contested });
  const conflicts: NewConflict[] = [];
  const document = await mergeDocuments(compared, merged, {
    target: { type: 'page', id: 'page_1' },
    pause,
    resolve(conflict) {
      conflicts.push(conflict);
      return undefined;
    },
  });
  return { document, conflicts, text: merged.text };
}

const printed = (document: JSONDocument | null) => (document ? printMarkdown(document, IN_PAGES) : '');
const wordsIn = (text: string): string[] => text.match(/[a-z0-9]+/g) ?? [];
const sorted = (document: JSONDocument | null) => wordsIn(printed(document)).sort();

const stories = fc.record({ page: anyPage, ours: lineEdits, theirs: lineEdits }).map(({ page, ours, theirs }) => ({
  base: page,
  ours: withLineEdits(page, ours, 'ours'),
  theirs: withLineEdits(page, theirs, 'theirs'),
}));

test.runIf(hasGit)('pages that git merges are merged to the same text and the same words', async () => {
  let merges = 0;
  await fc.assert(
    fc.asyncProperty(stories, async (texts) => {
      const byGit = gitMerge(texts);
      if (byGit === undefined) return;
      merges += 1;
      const { document, conflicts, text } = await merge(texts, true);
      expect(conflicts).toEqual([]);
      expect(text).toBe(byGit);
      expect(sorted(document)).toEqual(sorted(parse(byGit, IN_PAGES)));
    }),
    { numRuns: lawRuns(75) },
  );
  expect(merges).toBeGreaterThan(50);
});

test.each([true, false])(
  'no word of either side is lost in a merge (bodies that have a text: %s)',
  async (isWritten) => {
    await fc.assert(
      fc.asyncProperty(stories, async (texts) => {
        const { document, conflicts } = await merge(texts, isWritten);
        if (conflicts.length > 0) return;
        const words = mapThreeWay(texts, (text) => new Set(wordsIn(printed(parse(text, IN_PAGES)))));
        const merged = new Set(wordsIn(printed(document)));
        for (const word of new Set([...words.ours, ...words.theirs])) {
          const isDeleted = words.base.has(word) && !(words.ours.has(word) && words.theirs.has(word));
          if (!isDeleted) expect([word, merged.has(word)]).toEqual([word, true]);
        }
      }),
      { numRuns: lawRuns(75) },
    );
  },
);

test.runIf(hasGit)('lines are merged, or in conflict, as they are in git', () => {
  const line = fc.integer({ min: 0, max: 100 }).map(String);
  // Lines of the base that were added again would give several differences of the same length, of which git takes one.
  const added = fc.integer({ min: 200, max: 210 }).map(String);
  const edit = fc.record({ at: fc.nat(20), remove: fc.nat(2), insert: fc.array(added, { maxLength: 2 }) });
  const edits = fc.array(edit, { minLength: 1, maxLength: 3 });
  const edited = (lines: string[], all: { at: number; remove: number; insert: string[] }[]) =>
    all.reduce((left, { at, remove, insert }) => left.toSpliced(at % (left.length + 1), remove, ...insert), lines);
  fc.assert(
    fc.property(fc.uniqueArray(line, { minLength: 1, maxLength: 20 }), edits, edits, (base, ours, theirs) => {
      const lines = { base, ours: edited(base, ours), theirs: edited(base, theirs) };
      const textOf = (each: readonly string[]) => each.map((value) => `${value}\n`).join('');
      const merged = mergeLines(lines);
      expect(merged && textOf(merged)).toBe(gitMerge(mapThreeWay(lines, textOf)));
    }),
    { numRuns: lawRuns(75) },
  );
});
