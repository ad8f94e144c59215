import { z } from 'zod';
import { command } from '../../../../platform/operation/operation.ts';
import { translationFor, translationName } from '../access.ts';
import { memoryChanged } from './memory-changed.ts';

export const purgeTranslationMemory = command({
  name: 'purgeTranslationMemory',
  scope: 'write',
  description:
    'Deletes all entries that were imported to the memory of a translation, and starts a run: the provider translates their segments again. ' +
    'Translations by the provider and edits by people are kept. If there are no entries, succeeds without starting a run.',
  input: z.object(translationName),
  takesLong: true,
  async authorize(ctx, { translationId = '', organizationId }) {
    await translationFor(ctx, { translationId, organizationId: organizationId || null }, { isChanged: true });
  },
  async run(ctx, name) {
    const translation = await translationFor(ctx, name, { isChanged: true });
    const deleted = await ctx.db
      .deleteFrom('translation_memory')
      .where('organizationId', '=', translation.organizationId)
      .where('translationId', '=', translation.id)
      .executeTakeFirst();
    const deletedCount = Number(deleted.numDeletedRows);
    if (deletedCount > 0) await memoryChanged(ctx, translation, { kind: 'translation_memory_purged' });
    return { translation: await translationFor(ctx, name), deletedCount };
  },
});
