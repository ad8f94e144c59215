import { z } from 'zod';
import { idOf, query } from '../../../../platform/operation/operation.ts';
import { assertHasRole, notVisibleError, organizationFor, permissions } from '../../../people/access/index.ts';
import { loadGlossaryEntry } from './load-glossary.ts';

export const getGlossaryEntry = query({
  name: 'getGlossaryEntry',
  description: 'Gets an entry of the glossary of an organization.',
  input: z.object({ organizationId: idOf('org'), glossaryEntryId: idOf('glossary') }),
  authorize: (ctx, { organizationId = '' }) =>
    organizationFor(ctx, organizationId, permissions.getGlossaryEntry.organization),
  async run(ctx, { organizationId, glossaryEntryId }) {
    await assertHasRole(ctx, organizationId);
    const entry = await loadGlossaryEntry(ctx, glossaryEntryId);
    if (entry?.organizationId !== organizationId) throw notVisibleError(ctx, 'glossary entry', glossaryEntryId);
    return entry;
  },
});
