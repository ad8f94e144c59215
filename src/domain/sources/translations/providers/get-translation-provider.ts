import { z } from 'zod';
import { idOf, query } from '../../../../platform/operation/operation.ts';
import { organizationFor, permissions } from '../../../people/access/index.ts';
import { loadTranslationProvider } from './provider-settings.ts';

const needed = permissions.getTranslationProvider.organization;

export const getTranslationProvider = query({
  name: 'getTranslationProvider',
  description:
    'Gets the translation provider that the runs of an organization use, and its usage in this calendar month.',
  input: z.object({ organizationId: idOf('org') }),
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, needed),
  async run(ctx, { organizationId }) {
    await organizationFor(ctx, organizationId, needed);
    return loadTranslationProvider(ctx, organizationId);
  },
});
