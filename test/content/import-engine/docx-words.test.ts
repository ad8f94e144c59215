import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { docxSource } from '../../../src/domain/content/import-engine/sources/docx-source.ts';
import { parseMarkdown } from '../../../src/lib/document/markdown/parse.ts';
import { textOfBlocks } from '../../../src/lib/document/plain-text.ts';
import { openArchive } from '../../../src/platform/archive/read-zip.ts';
import { lawRuns } from '../../how-thorough.ts';
import { nestedDocx } from './nested-docx.ts';

/** Numbers that choose what is nested in what. */
const choices = fc.array(fc.nat(), { minLength: 100, maxLength: 200 });

async function wordsRead(bytes: Buffer): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'docx-'));
  const path = join(folder, 'a.docx');
  await writeFile(path, bytes);
  const archive = await openArchive(path);
  try {
    const source = await docxSource(archive, { path, name: 'a.docx' }, folder);
    const markdown = await source.read('a.md');
    const { document } = parseMarkdown(markdown);
    return (textOfBlocks(document.nodes).match(/[^\s|]+/g) ?? []).filter((word) => word !== 'a').toSorted();
  } finally {
    await archive.close();
    await rm(folder, { recursive: true });
  }
}

test('every word of a Word document comes out once, whatever is nested in its tables, lists and notes', async () => {
  await fc.assert(
    fc.asyncProperty(choices, async (numbers) => {
      const { bytes, words } = await nestedDocx(numbers);
      expect(await wordsRead(bytes)).toEqual(words.toSorted());
    }),
    { numRuns: lawRuns(3) },
  );
});
