import { z } from 'zod';
import { idOf, query } from '../../../platform/operation.ts';
import { textOf } from '../../../platform/text.ts';
import { permissions } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import { computedSource } from '../pages/index.ts';
import { rejectSource } from './reject-source.ts';

export const getComputedRevision = query({
  name: 'getComputedRevision',
  description:
    'Gets the pages, files and reusable contents of a computed page. All sources are rejected, because they depend on an OpenAPI specification, a translation or an integration, and this release has none of these.',
  openToAnonymous: true,
  input: z.object({
    spaceId: idOf('space'),
    source: computedSource,
    seed: textOf(0, 1000).describe('Value of `computedSeed` of the page, which identifies the state of the source.'),
  }),
  authorize: (ctx, { spaceId = '' }) => spaceFor(ctx, spaceId, permissions.getComputedRevision.space),
  async run(ctx, { spaceId, source }): Promise<never> {
    await spaceFor(ctx, spaceId, permissions.getComputedRevision.space);
    return rejectSource(source);
  },
});
