import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { orNull } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation/operation.ts';
import { organizationFor } from '../../people/access/index.ts';
import { type TranslationName, translationFor, translationForChange, translationName } from './access.ts';

export const deleteTranslation = command({
  name: 'deleteTranslation',
  scope: 'admin',
  description:
    'Deletes a translation, with its edits and reviews. The translated space is kept unchanged and no longer follows its source. To remove it too, delete the space.',
  input: z.object(translationName),
  async authorize(ctx, { translationId = '', organizationId }) {
    const name = { translationId, organizationId: organizationId || null };
    await checkOrganization(ctx, name);
    await orNull(translationFor(ctx, name, { isChanged: true }));
  },
  async run(ctx, name) {
    await checkOrganization(ctx, name);
    const translation = await orNull(translationForChange(ctx, name));
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

/** A named organization must be visible. */
async function checkOrganization(ctx: Context, { organizationId }: TranslationName): Promise<void> {
  if (organizationId != null) await organizationFor(ctx, organizationId, 'member');
}
