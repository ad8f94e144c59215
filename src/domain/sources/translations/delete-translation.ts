import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { orNull } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation/operation.ts';
import { organizationFor } from '../../people/access/index.ts';
import { type TranslationName, type TranslationRow, translationFor } from './access.ts';
import { translationName } from './input.ts';

export const deleteTranslation = command({
  name: 'deleteTranslation',
  scope: 'admin',
  description:
    'Deletes a translation, with its edits and reviews. The translated space stays as it is and no longer follows its source. To remove it too, delete the space.',
  input: z.object(translationName),
  async authorize(ctx, { translationId = '', organizationId }) {
    await deletable(ctx, { translationId, organizationId: organizationId || null });
  },
  async run(ctx, name) {
    const translation = await deletable(ctx, name);
    if (!translation) return { deletedId: null, organizationId: null };
    const { id, organizationId, spaceId } = translation;
    await ctx.db.deleteFrom('translation').where('id', '=', id).execute();
    await ctx.db.deleteFrom('translation_page').where('translationId', '=', id).execute();
    await ctx.db
      .deleteFrom('translation_memory')
      .where('organizationId', '=', organizationId)
      .where('translationId', '=', id)
      .execute();
    await ctx.db.deleteFrom('translation_edit').where('translationId', '=', id).execute();
    await recordEvent(ctx, { kind: 'translation_deleted', organizationId, spaceId, ids: { translationId: id } });
    return { deletedId: id, organizationId };
  },
});

/** The translation; null if there is none to be seen. A named organization must be visible. */
async function deletable(ctx: Context, name: TranslationName): Promise<TranslationRow | null> {
  if (name.organizationId != null) await organizationFor(ctx, name.organizationId, 'member');
  return orNull(translationFor(ctx, name, { isChanged: true }));
}
