import { z } from 'zod';
import { recordEvent } from '../../../../platform/events/record-event.ts';
import { command } from '../../../../platform/operation/operation.ts';
import { type TranslationRow, translationFor, translationForChange, translationName } from '../access.ts';
import { startRuns } from './start-runs.ts';

export const runTranslation = command({
  name: 'runTranslation',
  scope: 'write',
  description:
    'Starts a run of a translation in the background. It translates what has changed since the latest run. Has no effect while a run is ' +
    'queued or in progress.',
  input: z.object(translationName),
  async authorize(ctx, { translationId = '', organizationId }) {
    await translationFor(ctx, { translationId, organizationId: organizationId || null }, { isChanged: true });
  },
  async run(ctx, name): Promise<{ translation: TranslationRow }> {
    const { id, status, organizationId, spaceId } = await translationForChange(ctx, name);
    await startRuns(ctx, [id]);
    if (status !== 'running') {
      const ids = { translationId: id };
      await recordEvent(ctx, { kind: 'translation_run_started', organizationId, spaceId, ids });
    }
    return { translation: await translationFor(ctx, name) };
  },
});
