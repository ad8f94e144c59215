import { z } from 'zod';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { multilineText } from '../../../platform/shapes/text.ts';
import { permissions } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import { expandSource } from '../computed-sources/index.ts';
import { computedSource, type PageView, viewOf } from '../pages/index.ts';
import { revisionFor } from '../revisions/index.ts';
import { rejectHidden } from './reject-hidden.ts';
import { rejectSource } from './reject-source.ts';

export const getComputedRevision = query({
  name: 'getComputedRevision',
  description:
    'Gets the pages, files and reusable contents of a computed page. Sources that depend on an integration are rejected, because this release has no integrations.',
  openToAnonymous: true,
  input: z.object({
    spaceId: idOf('space'),
    source: computedSource,
    seed: multilineText(0, 1000).describe(
      'Value of `computedSeed` of the page, which identifies the state of the source.',
    ),
  }),
  authorize: (ctx, { spaceId = '' }) => spaceFor(ctx, spaceId, permissions.getComputedRevision.space),
  async run(ctx, { spaceId, source }): Promise<{ pages: PageView[]; files: never[]; reusableContents: never[] }> {
    const { space, revision } = await revisionFor(ctx, spaceId);
    await rejectHidden(ctx, space, source);
    const pages = await expandSource(ctx, revision, source);
    if (!pages) return rejectSource(source);
    const tree = Map.groupBy<string | null, LoadedPage>(pages, ({ parentId }) => parentId);
    return {
      pages: (tree.get(null) ?? []).map((page) => viewOf(page, revision, tree)),
      files: [],
      reusableContents: [],
    };
  },
});
