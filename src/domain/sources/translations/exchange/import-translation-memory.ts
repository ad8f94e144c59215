import { sql } from 'kysely';
import { z } from 'zod';
import { makeYielder } from '../../../../lib/tick.ts';
import { checkTranslation } from '../../../../lib/translation/check-translation.ts';
import { importedKey } from '../../../../lib/translation/memory-key.ts';
import { type ReadPair, readTmx } from '../../../../lib/translation/tmx.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { command, idOf } from '../../../../platform/operation/operation.ts';
import { type TranslationRow, translationFor, translationName } from '../access.ts';
import { readUpload, rejectFaults, withInputErrors } from './exchange.ts';
import { memoryChanged } from './memory-changed.ts';

/** Entries in one statement. */
const ENTRIES_PER_STATEMENT = 5_000;

export const importTranslationMemory = command({
  name: 'importTranslationMemory',
  scope: 'write',
  description:
    'Imports a TMX 1.4 file to the memory of a translation. Segments of the source that the file contains get its translations instead of being sent to the provider; edits by people are kept. Other translations do not use the entries. A later import replaces entries with the same source. Starts a run. ' +
    'Units without a text in both languages are ignored. BAD_USER_INPUT, with a message for each such unit, if a translation lacks a code of the source; nothing is imported then.',
  input: z.object({
    ...translationName,
    uploadId: idOf('upload').describe('ID of one of your uploads, a file of up to 20,000,000 bytes.'),
  }),
  takesLong: true,
  async authorize(ctx, { translationId = '', organizationId }) {
    await translationFor(ctx, { translationId, organizationId: organizationId || null }, { isChanged: true });
  },
  async prepare(ctx, { uploadId, ...name }) {
    const { organizationId, sourceLanguage: from, language: to } = await translationFor(ctx, name, { isChanged: true });
    const bytes = await readUpload(ctx, organizationId, uploadId);
    const { pairs, faults } = await withInputErrors(readTmx(bytes, { from, to }));
    const entries = new Map<string, string>();
    const pause = makeYielder();
    for (const pair of pairs) {
      const translation = checkTranslation(pair.source, pair.target);
      if (translation === undefined) faults.push(faultOf(pair));
      else entries.set(pair.source, translation);
      await pause();
    }
    rejectFaults(faults);
    return entries;
  },
  async run(ctx, { uploadId: _, ...name }, entries) {
    const translation = await translationFor(ctx, name, { isChanged: true });
    await store(ctx, translation, entries);
    await memoryChanged(ctx, translation, { kind: 'translation_memory_imported' });
    return { translation: await translationFor(ctx, name), count: entries.size };
  },
});

const faultOf = ({ position }: ReadPair) => ({
  unit: String(position),
  message: 'The translation must have the codes of the source, each once, and not be far longer.',
});

async function store(
  ctx: Context,
  { id, organizationId }: TranslationRow,
  entries: ReadonlyMap<string, string>,
): Promise<void> {
  const pause = makeYielder();
  const rows: { key: string; translation: string }[] = [];
  for (const [source, translation] of entries) {
    rows.push({ key: importedKey(id, source), translation });
    await pause();
  }
  rows.sort((a, b) => (a.key < b.key ? -1 : 1));
  for (let start = 0; start < rows.length; start += ENTRIES_PER_STATEMENT) {
    await sql`
      insert into translation_memory as m (organization_id, key, translation, translation_id)
      select ${organizationId}, decode(n.key, 'hex'), n.translation, ${id}
      from json_to_recordset(${JSON.stringify(rows.slice(start, start + ENTRIES_PER_STATEMENT))}::json) as n(key text, translation text)
      on conflict (organization_id, key) do update set translation = excluded.translation`.execute(ctx.db);
  }
}
