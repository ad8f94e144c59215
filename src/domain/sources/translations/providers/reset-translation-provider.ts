import { z } from 'zod';
import { recordEvent } from '../../../../platform/events/record-event.ts';
import { command, idOf } from '../../../../platform/operation/operation.ts';
import { organizationFor, permissions } from '../../../people/access/index.ts';
import { loadTranslationProvider } from './provider-settings.ts';

const needed = permissions.resetTranslationProvider.organization;

export const resetTranslationProvider = command({
  name: 'resetTranslationProvider',
  scope: 'admin',
  description: "Removes an organization's translation provider and its API key. Later runs use the service's provider.",
  input: z.object({ organizationId: idOf('org') }),
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, needed),
  async run(ctx, { organizationId }) {
    await organizationFor(ctx, organizationId, needed, 'for no key update');
    const removed = await ctx.db
      .deleteFrom('translation_provider')
      .where('organizationId', '=', organizationId)
      .executeTakeFirst();
    if (removed.numDeletedRows > 0n) await recordEvent(ctx, { kind: 'translation_provider_updated', organizationId });
    return { provider: await loadTranslationProvider(ctx, organizationId) };
  },
});
