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
    'The pages, files and reusable contents that stand in the place of a computed page. All sources depend on an API specification, a translation or an integration, and are refused as naming none: this service has none yet.',
  openToAnonymous: true,
  input: z.object({
    spaceId: idOf('space'),
    source: computedSource,
    seed: textOf(0, 1000).describe('What the page says of the state of its source (`computedSeed`).'),
  }),
  authorize: (ctx, { spaceId = '' }) => spaceFor(ctx, spaceId, permissions.getComputedRevision.space),
  async run(ctx, { spaceId, source }): Promise<never> {
    await spaceFor(ctx, spaceId, permissions.getComputedRevision.space);
    return rejectSource(source);
  },
});
