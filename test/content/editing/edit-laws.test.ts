import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editedDocument } from '../../../src/domain/store/bodies/edit-body-work.ts';
import { readForm } from '../../../src/domain/store/prepared-bodies/index.ts';
import type { Block, JSONDocument } from '../../../src/lib/document/document.ts';
import { documentOf } from '../../../src/lib/document/empty.ts';
import { withoutKeys } from '../../../src/lib/document/keys.ts';
import { outlineText } from '../../../src/lib/document/markdown/edit/outline-text.ts';
import { placeBlocks } from '../../../src/lib/document/markdown/edit/place-blocks.ts';
import { type SectionChange, sectionSplices } from '../../../src/lib/document/markdown/edit/section-splices.ts';
import { linesAfter, type Splice, spliceText } from '../../../src/lib/document/markdown/edit/splice.ts';
import { IN_PAGES } from '../../../src/lib/document/markdown/forms.ts';
import { linesOf } from '../../../src/lib/document/markdown/patch/lines-of.ts';
import { patchMarkdown } from '../../../src/lib/document/markdown/patch/patch-markdown.ts';
import { walk } from '../../../src/lib/document/walk.ts';
import { splitFrontMatter } from '../../../src/lib/front-matter.ts';
import { lawRuns } from '../../how-thorough.ts';

/** How often each law is tried, times 100. */
const runs = lawRuns(50);

const HANDBOOK = join(import.meta.dirname, '..', '..', '..', 'src', 'demo', 'handbook');

/** Texts of the handbook, and of whatever documentation `DOCUMENTATION` names a folder of. */
const texts = [HANDBOOK, ...(process.env.DOCUMENTATION ? [process.env.DOCUMENTATION] : [])]
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .map((name) => join(folder, String(name)))
      .filter((file) => file.endsWith('.md')),
  )
  .map((file) => splitFrontMatter(readFileSync(file, 'utf8')).body)
  .filter((text) => text.length > 200 && text.length < 40_000);

const documents = new Map<string, JSONDocument>();

function documentIn(text: string): JSONDocument {
  const known = documents.get(text);
  if (known) return known;
  const read = readForm({ markdown: text });
  if ('issues' in read) throw new Error('Markdown has issues.');
  documents.set(text, read.body);
  return read.body;
}

function edit(text: string, splices: Splice[]): { after: string; document: JSONDocument } {
  const after = spliceText(text, splices);
  const edited = editedDocument({ document: documentIn(text), before: text, splices, after, targets: {} });
  if (edited === 'too large' || 'addresses' in edited) throw new Error('The text was not read.');
  return { after, document: edited.document.body };
}

function keysOf(node: Block): string[] {
  const keys: string[] = [];
  walk(documentOf([node]), ({ key }) => keys.push(key ?? ''));
  return keys;
}

const page = fc.nat().map((n) => texts[n % texts.length] ?? '');

test('a word of a paragraph is replaced, and every other block is the same one, with its keys', () => {
  let count = 0;
  fc.assert(
    fc.property(page, fc.nat(), (text, at) => {
      const before = documentIn(text);
      const words = [...text.matchAll(/(?<=[a-z] )[a-z]{4,12}(?= [a-z])/g)];
      const word = words[at % Math.max(1, words.length)];
      if (!word) return;
      const splice = { from: word.index, to: word.index + word[0].length, text: 'zebra' };
      const index = placeBlocks(text, before).findIndex(
        (place) => place && place.from <= splice.from && splice.to <= place.to,
      );
      if (before.nodes[index]?.type !== 'paragraph') return;
      count += 1;
      const { after, document } = edit(text, [splice]);
      expect(document.nodes.map(({ key }) => key)).toEqual(before.nodes.map(({ key }) => key));
      expect(document.nodes.toSpliced(index, 1)).toEqual(before.nodes.toSpliced(index, 1));
      expect(patchMarkdown(after, document, IN_PAGES)).toBe(after);
    }),
    { numRuns: runs },
  );
  expect(count).toBeGreaterThan(0.2 * runs);
});

test('any lines are replaced, and every block that the text still has at its place is the same one', () => {
  const inserted = fc.constantFrom(
    '',
    'A paragraph.\n\n',
    '- an item\n',
    '## A heading\n\n',
    '```\ncode\n',
    '> quote\n',
    '<!-- x -->\n',
    '\n',
  );
  const change = fc.record({ at: fc.nat(), lines: fc.nat(3), text: inserted });
  let [kept, possible] = [0, 0];
  fc.assert(
    fc.property(page, fc.array(change, { minLength: 1, maxLength: 3 }), (text, changes) => {
      const before = documentIn(text);
      const lines = linesOf(text);
      const starts = [0];
      for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length);
      const splices: Splice[] = [];
      for (const { at, lines: count, text: replacement } of changes.toSorted(
        (a, b) => (a.at % lines.length) - (b.at % lines.length),
      )) {
        const first = at % lines.length;
        const from = starts[first] ?? 0;
        const to = starts[Math.min(lines.length, first + count)] ?? from;
        if (from > (splices.at(-1)?.to ?? -1)) splices.push({ from, to, text: replacement });
      }
      const { after, document } = edit(text, splices);
      const keys = document.nodes.flatMap(keysOf);
      expect(new Set(keys).size).toBe(keys.length);
      const places = new Map(
        placeBlocks(after, document).map((place, i) => [`${place?.from} ${place?.to} ${place?.at}`, document.nodes[i]]),
      );
      for (const [i, place] of placeBlocks(text, before).entries()) {
        const node = before.nodes[i];
        const moved = place && linesAfter(text, splices, place);
        if (!node || !moved) continue;
        possible += 1;
        const now = places.get(`${moved.from} ${moved.to} ${place.at}`);
        // What its lines mean can depend on others, such as the definition of a link.
        if (JSON.stringify(withoutKeys(now)) !== JSON.stringify(withoutKeys(node))) continue;
        kept += 1;
        expect(now && keysOf(now)).toEqual(keysOf(node));
      }
    }),
    { numRuns: runs },
  );
  // Code without an end changes what all lines below it mean.
  expect(kept / possible).toBeGreaterThan(0.8);
});

test('sections are replaced, appended to and deleted, and what is around them stays byte for byte, with its keys', () => {
  const changes = fc.constantFrom<SectionChange>({ replaceWith: 'New text.' }, { append: '- an item' }, 'delete');
  let count = 0;
  fc.assert(
    fc.property(page, fc.nat(), changes, (text, at, change) => {
      const before = documentIn(text);
      const { headings, blocks } = outlineText(text, before);
      const section = headings[at % Math.max(1, headings.length)];
      if (!section) return;
      const { after, document } = edit(text, sectionSplices(text, section, change));
      count += 1;
      const end = change === 'delete' ? section.from : section.headingTo;
      expect(after.startsWith(text.slice(0, end).trimEnd())).toBe(true);
      expect(after.endsWith(text.slice(section.to))).toBe(true);
      const outside = blocks.filter(({ from, to }) => to <= section.from || from >= section.to).map(({ key }) => key);
      const keys = new Set(outside);
      expect(document.nodes.flatMap(({ key = '' }) => (keys.has(key) ? [key] : []))).toEqual(outside);
    }),
    { numRuns: runs },
  );
  expect(count).toBeGreaterThan(0.2 * runs);
});
