import { z } from 'zod';
import { emptyDocument } from '../../../lib/document/empty.ts';
import { nowOf } from '../../../platform/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation.ts';
import { documentInput, readBody } from '../../store/bodies/index.ts';
import { TRANSLATION_COLUMNS, translationFor } from './access.ts';
import { translationName } from './input.ts';

export const updateTranslation = command({
  name: 'updateTranslation',
  description:
    'Replaces the instructions of a translation. The next run uses them, and sends all segments to the provider again.',
  input: z.object({ ...translationName, instructions: documentInput }),
  async authorize(ctx, { translationId = '', organizationId }) {
    await translationFor(ctx, { translationId, organizationId: organizationId || null }, { isChanged: true });
  },
  async prepare(ctx, { instructions, ...name }) {
    const translation = await translationFor(ctx, name, { isChanged: true });
    return readBody(ctx, translation.organizationId, instructions, ['instructions']);
  },
  async run(ctx, name, read) {
    const { id, organizationId, spaceId } = await translationFor(ctx, name, { isChanged: true });
    const instructions = JSON.stringify(read?.body ?? emptyDocument()) as never; // json columns are written as text
    const translation = await ctx.db
      .updateTable('translation')
      .set({ instructions, updatedAt: nowOf(ctx) })
      .where('id', '=', id)
      .returning(TRANSLATION_COLUMNS)
      .executeTakeFirstOrThrow();
    await recordEvent(ctx, { kind: 'translation_updated', organizationId, spaceId, ids: { translationId: id } });
    return { translation };
  },
});
