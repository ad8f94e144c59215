import { z } from 'zod';
import { emptyDocument } from '../../../lib/document/empty.ts';
import { nowOf } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation/operation.ts';
import { documentInput, readBody } from '../../store/bodies/index.ts';
import { translationFor, translationForChange, translationName } from './access.ts';

export const updateTranslation = command({
  name: 'updateTranslation',
  scope: 'write',
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
    const translation = await translationForChange(ctx, name);
    ctx.em.assign(translation, { instructions: read?.body ?? emptyDocument(), updatedAt: nowOf(ctx) });
    await ctx.em.flush();
    const { id, organizationId, spaceId } = translation;
    await recordEvent(ctx, { kind: 'translation_updated', organizationId, spaceId, ids: { translationId: id } });
    return { translation };
  },
});
